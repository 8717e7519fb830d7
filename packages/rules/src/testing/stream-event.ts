import type { StreamEvent } from "@assay/stream-grammar";

/** An event at the start of a stream. Without a value, its data is not JSON. */
export const streamEvent = (name: string, value?: unknown): StreamEvent => ({
  name,
  value,
  index: 0,
  offset: 0,
  dataOffset: 0,
  dataBytes: 0,
  atMicros: 0,
  parsed: value !== undefined,
});
