import { type JudgedVerdict, ruleStanding } from "./rule-standing.ts";

/**
 * How a verdict is told to tools that know test cases only. `warning` is a test case that passed and has something to say;
 * `error` is a rule that transport or a limit kept from its evidence.
 */
export type JunitKind = "passed" | "warning" | "failure" | "error" | "skipped";

const kindOf = {
  passed: "passed",
  warned: "warning",
  failed: "failure",
  "known-failure": "skipped",
  fixed: "failure",
  "not-tested": "skipped",
  "not-applicable": "skipped",
  blocked: "error",
} as const;

/** The one mapping from verdicts to test cases; a failure here is exactly what fails the run. A known failure is skipped. */
export const junitKind = (rule: JudgedVerdict, strict = false): JunitKind => {
  const { verdict } = rule;
  if (verdict.outcome === "blocked" && verdict.blockedBy === "prerequisite") {
    return "skipped";
  }
  const standing = ruleStanding(rule);
  return strict && standing === "warned" ? "failure" : kindOf[standing];
};
