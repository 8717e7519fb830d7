import { type JudgedVerdict, ruleStanding } from "./rule-standing.ts";

/**
 * A verdict for tools that only know test cases. `warning`: the test case passed with a message. `error`: transport or a limit blocked the
 * rule.
 */
export type JunitKind = "passed" | "warning" | "failure" | "error" | "skipped";

const junitKinds = {
  passed: "passed",
  warned: "warning",
  failed: "failure",
  "known-failure": "skipped",
  fixed: "failure",
  "not-tested": "skipped",
  "not-applicable": "skipped",
  blocked: "error",
} as const;

/** Maps a verdict to a test case: a failure if and only if it fails the run. A known failure is skipped. */
export const toJunitKind = (rule: JudgedVerdict, strict = false): JunitKind => {
  const { verdict } = rule;
  if (verdict.outcome === "blocked" && verdict.blockedBy === "prerequisite") {
    return "skipped";
  }
  const standing = ruleStanding(rule);
  return strict && standing === "warned" ? "failure" : junitKinds[standing];
};
