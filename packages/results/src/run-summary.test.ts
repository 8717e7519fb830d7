import { expect, test } from "vitest";
import type { RunOutcome } from "./outcome.ts";
import { sentenceOf } from "./run-summary.ts";
import { countOutcomes } from "./conclude-run.ts";

test.each<[RunOutcome, string]>([
  ["incomplete", "nothing was tested: no reason was recorded"],
  ["usage-error", "wrong usage"],
  ["harness-error", "a bug in the harness, not in the target: no cause was recorded"],
  ["interrupted", "interrupted by a signal; so far: no rule was tested"],
  ["cleanup-incomplete", "no rule was tested, but not everything created was removed: no detail was recorded"],
])("the outcome %s without a cause has a sentence", (outcome, sentence) => {
  const nothing = { counts: countOutcomes([]), incomplete: [], broken: [], fixed: [], mistakes: [] };
  expect(sentenceOf(outcome, nothing)).toBe(sentence);
});
