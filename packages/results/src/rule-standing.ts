import type { KnownFailure, RuleVerdict, VerdictOutcome } from "./verdict.ts";

/** The verdict on a rule after known failures are applied. */
export type RuleStanding = VerdictOutcome | KnownFailure["status"];

/** Every standing, in the order in which they are counted. */
export const ruleStandings = [
  "passed",
  "failed",
  "warned",
  "known-failure",
  "fixed",
  "not-tested",
  "not-applicable",
  "blocked",
] as const satisfies readonly RuleStanding[];

/** A verdict and its known failure, which together determine the standing. */
export type JudgedVerdict = Pick<RuleVerdict, "verdict" | "known">;

const outcomesByStatus: Readonly<Record<KnownFailure["status"], readonly VerdictOutcome[]>> = {
  "known-failure": ["failed", "warned"],
  fixed: ["passed"],
};

/**
 * Returns the standing of a verdict. Only a rule that failed or warned can be a known failure, and only a rule that passed can be fixed. An
 * entry has no effect on other verdicts: it does not hide that a rule was blocked, and a rule that was not tested is not fixed.
 */
export const ruleStanding = ({ verdict, known }: JudgedVerdict): RuleStanding =>
  known !== undefined && outcomesByStatus[known.status].includes(verdict.outcome) ? known.status : verdict.outcome;

/** Reports whether the verdict makes the run fail: a failure that is not known, a fixed known failure, or in a strict run a warning. */
export const failsRun = (rule: JudgedVerdict, strict: boolean): boolean => {
  const standing = ruleStanding(rule);
  return standing === "failed" || standing === "fixed" || (strict && standing === "warned");
};

/** Reports whether the rule has a verdict on the target: it was tested, and it applies. */
export const isJudged = ({ verdict: { outcome } }: Pick<RuleVerdict, "verdict">): boolean =>
  outcome === "passed" || outcome === "failed" || outcome === "warned";
