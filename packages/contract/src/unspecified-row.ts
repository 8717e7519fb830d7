import type { RequirementId } from "./requirements/requirement-id.ts";

/** A question the specifications leave open, as it is written down: a target may answer it in any accepted way and no rule may fail it for that. */
export interface UnspecifiedRow {
  /** `not-shown`: the specification says that it does not show it. `silent`: the document does not mention it. */
  readonly origin: "not-shown" | "silent";
  /** What is unknown, one clause. */
  readonly unknown: string;
  /** Every behaviour that is accepted; together they close the question. */
  readonly accepted: readonly [string, ...string[]];
  /** What a run keeps about the choice of a target. */
  readonly recorded: string;
  /** Sentences that leave the question open, or that the silence is about. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
}

/** What is kept of a choice that only shows in the bodies of answers. */
export const inTheBody = "nothing of its own; the body in the evidence shows it";

/** What is kept of a choice that shows in the head of an answer. */
export const inTheHead = "status and header fields, in each exchange";

/** What is kept of a choice that is reported as an observation whose code is the id of the row, about `what`. */
export const observed = (what: string): string => `an observation with this id as its code, ${what}`;
