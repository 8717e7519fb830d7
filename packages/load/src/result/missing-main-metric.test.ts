import type { LoadPlan, LoadSample } from "@assay/results";
import { describe, expect, test } from "vitest";
import { buildSampleTable } from "../samples/sample-table.ts";
import { callAt, conversationAt, failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { tallySamples } from "./load-tally.ts";
import { describeMissingMainMetric } from "./missing-main-metric.ts";

function unseen(samples: readonly LoadSample[], changes: Partial<LoadPlan> = {}): string | undefined {
  const plan = planWith(changes);
  return describeMissingMainMetric(plan, tallySamples(plan, [{ epochMs: 0, samples: buildSampleTable(samples) }]));
}

function withoutMatch(planMs: number): LoadSample {
  const { firstMatchMs: _none, ...stream } = streamAt(planMs);
  return { ...stream, matches: 0 };
}

describe("the subject of a scenario", () => {
  test("was seen if one stream has it", () => {
    expect(unseen([withoutMatch(0), streamAt(100)])).toBeUndefined();
  });

  test("was not seen if all requests succeeded without it", () => {
    expect(unseen([withoutMatch(0), withoutMatch(100)])).toBe(
      "2 requests succeeded, but none had the metric first-match, which search-first-match measures; " +
        "use queries that find something on this target",
    );
  });

  test("was not seen on a target that answers with an alert, and the alert is named", () => {
    const plan = planWith();
    const tally = tallySamples(plan, [{ epochMs: 0, samples: buildSampleTable([withoutMatch(0)]) }]);
    expect(describeMissingMainMetric(plan, tally, "the index is gone")).toContain(
      'measures; the target answers with an alert, "the index is gone": fix that first',
    );
  });

  test("of polling is the end of a conversation", () => {
    const calls = [callAt(0, "create"), callAt(10, "poll")];
    expect(unseen(calls, { scenario: "conversation-poll" })).toMatch(/none had the metric terminal-upper/u);
    expect(unseen([...calls, conversationAt(0)], { scenario: "conversation-poll" })).toBeUndefined();
  });

  test("does not matter if nothing succeeded, which has other reasons", () => {
    expect(unseen([failedAt(0, "transport")])).toBeUndefined();
  });

  test("is not known of a script of the user's", () => {
    expect(unseen([withoutMatch(0)], { scenario: "own.ts" })).toBeUndefined();
  });
});
