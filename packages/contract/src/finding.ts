import type { StandardClientView } from "./grammar-codes.ts";

/**
 * What a rule has to say about evidence. A `violation` fails or warns by the basis of its rule; an `observation` records
 * which of several permitted behaviours was seen and never fails.
 */
export interface Finding {
  readonly kind: "violation" | "note";
  /** One sentence about what was seen. May quote the target: escape before showing. */
  readonly message: string;
  /** Closed code of what was seen: of an observation, or of a violation of a rule that has several kinds of them. */
  readonly code?: string;
  /** What the code says it of: a member, a value, an operation. May quote the target: escape before showing. */
  readonly argument?: string;
  /** Id of the exchange the finding is about. */
  readonly exchange?: string;
  /** Index of the event in its stream, from 0. */
  readonly event?: number;
  /** Offset of the first offending byte in the response body, from 0. */
  readonly offset?: number;
  /** Number of offending bytes from `offset`; 0 marks a place where something is missing. */
  readonly length?: number;
  /** JSON pointer into the event's data. */
  readonly pointer?: string;
  /** What a client built on a standard event-stream parser would have seen of it. */
  readonly standardClient?: StandardClientView;
}

/** A place in JSON as an argument: a pointer in which every index is `*`. */
export const placeArgument = (pointer: string): string =>
  (pointer === "" ? "/" : pointer).replaceAll(/\/\d+(?=\/|$)/gu, "/*");
