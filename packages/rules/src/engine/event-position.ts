import type { StreamEvent } from "@assay/stream-grammar";

/** A position in the data of an event. Offset and length are in bytes of the stream. */
export interface EventPosition {
  /** Index of the event in its stream. */
  readonly event: number;
  readonly offset: number;
  readonly length: number;
  readonly pointer?: string;
}

/**
 * Returns the position of an event's data. With a JSON pointer, the position is narrowed when the finding is reported.
 */
export const dataPosition = ({ index, dataOffset, dataBytes }: StreamEvent, pointer?: string): EventPosition => ({
  event: index,
  offset: dataOffset,
  length: dataBytes,
  ...(pointer === undefined ? {} : { pointer }),
});
