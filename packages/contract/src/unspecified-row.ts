import type { RequirementId } from "./requirements/requirement-id.ts";

/**
 * A question that the specifications leave open. A target may answer it in any accepted way, and no rule fails for
 * it.
 */
export interface UnspecifiedRow {
  /** `not-shown`: the specification says that it does not show it. `silent`: the specification does not mention it. */
  readonly origin: "not-shown" | "silent";
  /** The open question, as a clause. */
  readonly unknown: string;
  /** Every accepted behaviour; together they close the question. */
  readonly accepted: readonly [string, ...string[]];
  /** The record that a run keeps of a target's choice. */
  readonly recorded: string;
  /** Requirements that leave the question open, or that it is about. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
}

/** Record of a choice that only shows in the bodies of responses. */
export const inTheBody = "nothing separate; the body in the evidence shows it";

/** Record of a choice that shows in the head of a response. */
export const inTheHead = "status and header fields, in each exchange";

/** Record of a choice that is reported as a note whose code is the id of the row. */
export const observed = (what: string): string => `a note with this id as its code, ${what}`;
