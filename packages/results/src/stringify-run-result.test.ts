import * as fc from "fast-check";
import { expect, test } from "vitest";
import { concludeRun } from "./conclude-run.ts";
import type { RunResult } from "./run-result.ts";
import { stringifyRunResult } from "./stringify-run-result.ts";
import { observation, ruleVerdict, sampleVerdicts } from "./testing/sample-verdicts.ts";

const verdicts = Object.values(sampleVerdicts).map((verdict) => ruleVerdict(verdict, { notes: [observation] }));
const result: RunResult = {
  schemaVersion: 1,
  tool: { name: "assay", version: "0.1.0" },
  run: { id: "r", startedAt: "2026", target: "http://t", embedded: false, profile: "gate", seed: 1, strict: false },
  ...concludeRun({ verdicts, strict: false }),
  verdicts,
  gaps: [],
  exchanges: [{ id: "x", probe: "p", url: "/", bytes: 1, events: 1, matches: 0, durationMicros: 3 }],
};

/** The same value, the members of every object put in by another order. */
const shuffled = (value: unknown, keyOf: (name: string) => number): unknown => {
  if (Array.isArray(value)) {
    return value.map((item) => shuffled(item, keyOf));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => keyOf(a) - keyOf(b))
          .map(([name, member]) => [name, shuffled(member, keyOf)]),
      )
    : value;
};
const isResult = (value: unknown): value is RunResult => typeof value === "object" && value !== null;

test("begins with what a reader looks for, is indented by two and ends with one line feed", () => {
  const text = stringifyRunResult(result);
  expect(text.split("\n").slice(0, 7)).toEqual([
    "{",
    '  "schemaVersion": 1,',
    '  "tool": {',
    '    "name": "assay",',
    '    "version": "0.1.0"',
    "  },",
    '  "run": {',
  ]);
  expect(text.endsWith("}\n")).toBe(true);
  expect(JSON.parse(text)).toEqual(result);
});

test("does not depend on the order in which a value was put together", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (seed) => {
      const other = shuffled(result, (name) => ((name.length + 7) * (name.charCodeAt(1) + 1) * seed) % 97);
      expect([isResult(other) && stringifyRunResult(other)]).toEqual([stringifyRunResult(result)]);
    }),
    { numRuns: 50 },
  );
});

test("hostile text stays inside its string and survives the way back", () => {
  const hostile = "\u001b[31m\u0000\ud800 ]]> </script> \u2028 __proto__ \u202e";
  const summary = { ...result, summary: hostile };
  expect(JSON.parse(stringifyRunResult(summary)).summary).toBe(hostile);
  expect(stringifyRunResult(summary)).toContain("\\u001b[31m\\u0000\\ud800");
});
