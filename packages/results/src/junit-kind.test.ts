import { expect, test } from "vitest";
import { junitKind } from "./junit-kind.ts";
import { type SampleName, sampleVerdicts } from "./testing/sample-verdicts.ts";

test.each<[SampleName, boolean, string]>([
  ["passed", false, "passed"],
  ["failed", false, "failure"],
  ["warned", false, "warning"],
  ["warned", true, "failure"],
  ["not observed", false, "skipped"],
  ["not applicable", false, "skipped"],
  ["no prerequisite", false, "skipped"],
  ["no transport", false, "error"],
  ["over a limit", false, "error"],
])("%s, strict %s, is told as %s", (name, strict, kind) => {
  expect(junitKind(sampleVerdicts[name], strict)).toBe(kind);
});
