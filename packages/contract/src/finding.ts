import type { StandardClientView } from "./grammar-codes.ts";

/**
 * One result of a rule's check. A `violation` fails or warns, depending on the basis of its rule. A `note` records which of several
 * permitted behaviours the target shows, and never fails.
 */
export interface Finding {
  readonly kind: "violation" | "note";
  /** One sentence that describes the finding. It may quote the target: escape it before showing. */
  readonly message: string;
  /** Closed code of a note, or of a violation if its rule has several kinds of violations. */
  readonly code?: string;
  /** Subject of the code: a member, a value, an operation. It may quote the target: escape it before showing. */
  readonly argument?: string;
  /** Id of the exchange that the finding is about. */
  readonly exchange?: string;
  /** Index of the event in its stream, from 0. */
  readonly event?: number;
  /** Offset of the first offending byte in the response body, from 0. */
  readonly offset?: number;
  /** Number of offending bytes from `offset`; 0 marks a position where something is missing. */
  readonly length?: number;
  /** JSON pointer into the data of the event. */
  readonly pointer?: string;
  /** The effect on a client with a standard event-stream parser. */
  readonly standardClient?: StandardClientView;
}

/** Formats a JSON pointer as an argument: every index is replaced by `*`. */
export const placeArgument = (pointer: string): string =>
  (pointer === "" ? "/" : pointer).replaceAll(/\/\d+(?=\/|$)/gu, "/*");
