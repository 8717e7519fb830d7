import { expect, test } from "vitest";
import { toJunitKind } from "./junit-kind.ts";
import { fixedFailure, knownFailure, type SampleName, sampleVerdicts } from "./testing/sample-verdicts.ts";
import type { KnownFailure } from "./verdict.ts";

test.each<[SampleName, boolean, string]>([
  ["passed", false, "passed"],
  ["passed", true, "passed"],
  ["failed", false, "failure"],
  ["warned", false, "warning"],
  ["warned", true, "failure"],
  ["not observed", false, "skipped"],
  ["not applicable", false, "skipped"],
  ["no prerequisite", false, "skipped"],
  ["no transport", false, "error"],
  ["over a limit", false, "error"],
  ["over a limit", true, "error"],
])("%s, strict %s: %s", (name, strict, kind) => {
  expect(toJunitKind({ verdict: sampleVerdicts[name] }, strict)).toBe(kind);
});

test.each<[SampleName, KnownFailure["status"], boolean, string]>([
  ["failed", "known-failure", false, "skipped"],
  ["failed", "known-failure", true, "skipped"],
  ["warned", "known-failure", false, "skipped"],
  ["warned", "known-failure", true, "skipped"],
  ["passed", "fixed", false, "failure"],
  ["passed", "fixed", true, "failure"],
  ["passed", "known-failure", false, "passed"],
  ["not observed", "known-failure", false, "skipped"],
  ["no prerequisite", "known-failure", false, "skipped"],
  ["no transport", "known-failure", false, "error"],
  ["over a limit", "known-failure", false, "error"],
])("%s with the entry %s, strict %s: %s", (name, status, ...[strict, kind]) => {
  const known = status === "known-failure" ? knownFailure : fixedFailure;
  expect(toJunitKind({ verdict: sampleVerdicts[name], known }, strict)).toBe(kind);
});

test("a run is not strict by default", () => {
  expect(toJunitKind({ verdict: sampleVerdicts.warned })).toBe("warning");
});
