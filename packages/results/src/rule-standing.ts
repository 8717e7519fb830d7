import type { KnownFailure, RuleVerdict, VerdictOutcome } from "./verdict.ts";

/** What a verdict comes to once the known failures are taken into account. */
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

/** A verdict with what is known of it, of which nothing else decides. */
export type JudgedVerdict = Pick<RuleVerdict, "verdict" | "known">;

const speaksOf: Readonly<Record<KnownFailure["status"], readonly VerdictOutcome[]>> = {
  "known-failure": ["failed", "warned"],
  fixed: ["passed"],
};

/**
 * The standing of a verdict. Only what fails or warns can be a known failure and only what holds can be fixed: of every
 * other verdict an entry says nothing, so it never hides that a rule could not run, and not observed is not fixed.
 */
export const ruleStanding = ({ verdict, known }: JudgedVerdict): RuleStanding =>
  known !== undefined && speaksOf[known.status].includes(verdict.outcome) ? known.status : verdict.outcome;

/**
 * Whether a verdict alone makes the run fail: a violation that is not known, or a known one that is gone. In a strict run
 * a warning that is not known does too.
 */
export const failsRun = (rule: JudgedVerdict, strict: boolean): boolean => {
  const standing = ruleStanding(rule);
  return standing === "failed" || standing === "fixed" || (strict && standing === "warned");
};
