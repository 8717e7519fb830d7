import type { StreamEvent } from "@assay/stream-grammar";
import { expect, test } from "vitest";
import { createOutcomeBuilder } from "./rule-outcome.ts";
import { createValueTracker, recordValue } from "./value-tracker.ts";

const event: StreamEvent = {
  name: "filters",
  value: [],
  index: 2,
  offset: 0,
  dataOffset: 9,
  dataBytes: 4,
  atMicros: 0,
  parsed: true,
};

/** The notes about values of one stream. */
function said(values: readonly unknown[]) {
  const state = createValueTracker(["known"]);
  const builder = createOutcomeBuilder();
  for (const value of values) {
    recordValue(state, { value, label: "kind", pointer: "/0" }, { report: builder.reporterFor("1"), event });
  }
  return { reported: [...state.reportedValues], ...builder.build() };
}

test("a new value is noted once, with its position", () => {
  expect(said(["known", "new", "new", 1, null])).toEqual({
    reported: ["new"],
    observations: 3,
    findings: [
      { kind: "note", exchange: "1", message: "new kind: `new`", event: 2, offset: 9, length: 4, pointer: "/0" },
    ],
    droppedViolations: 0,
  });
});

test("at most fifty different new values are noted", () => {
  const { reported, observations } = said(Array.from({ length: 60 }, (_, index) => `new ${index}`));
  expect([reported.length, reported.at(-1), observations]).toEqual([50, "new 49", 60]);
});
