import { type JudgedVerdict, ruleStanding } from "./rule-standing.ts";

/**
 * The outcome of a rule in JUnit terms.
 * - `warning`: The test case passed with a message.
 * - `error`: Transport or a limit blocked the rule.
 * - `skipped`: The rule failed as known, was not tested, or does not apply.
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

/** Maps a verdict to a JUnit outcome. It is `failure` exactly when the verdict fails the run. */
export const toJunitKind = (rule: JudgedVerdict, strict = false): JunitKind => {
  const { verdict } = rule;
  if (verdict.outcome === "blocked" && verdict.blockedBy === "prerequisite") {
    return "skipped";
  }
  const standing = ruleStanding(rule);
  return strict && standing === "warned" ? "failure" : junitKinds[standing];
};
