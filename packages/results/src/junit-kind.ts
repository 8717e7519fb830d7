import type { Verdict } from "./verdict.ts";
import { failsRun } from "./verdict-of.ts";

/**
 * How a verdict is told to tools that know test cases only. `warning` is a test case that passed and has something to say;
 * `error` is a rule that transport or a limit kept from its evidence.
 */
export type JunitKind = "passed" | "warning" | "failure" | "error" | "skipped";

const kindOf = {
  passed: "passed",
  warned: "warning",
  failed: "failure",
  "not-observed": "skipped",
  "not-applicable": "skipped",
} as const;

/** The one mapping from verdicts to test cases; a failure here is exactly what fails the run. */
export const junitKind = (verdict: Verdict, strict = false): JunitKind => {
  if (failsRun(verdict, strict)) {
    return "failure";
  }
  if (verdict.outcome === "could-not-run") {
    return verdict.obstacle === "prerequisite" ? "skipped" : "error";
  }
  return kindOf[verdict.outcome];
};
