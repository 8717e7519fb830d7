import * as fc from "fast-check";
import { expect, test } from "vitest";
import { concludeRun } from "./conclude-run.ts";
import type { RunResult } from "./run-result.ts";
import { stringifyRunResult } from "./stringify-run-result.ts";
import { knownFailure, observation, ruleVerdict, sampleVerdicts } from "./testing/sample-verdicts.ts";

const verdicts = Object.values(sampleVerdicts).map((verdict) => ruleVerdict(verdict, { notes: [observation] }));
const result: RunResult = {
  schemaVersion: 2,
  tool: { name: "assay", version: "0.1.0" },
  run: { id: "r", startedAt: "2026", target: "http://t", embedded: false, profile: "gate", seed: 1, strict: false },
  ...concludeRun({ verdicts, strict: false }),
  verdicts,
  unspecified: [],
  exchanges: [
    {
      id: "x",
      probe: "p",
      interface: "stream",
      operation: "search",
      url: "/",
      bytes: 1,
      events: 1,
      matches: 0,
      durationMicros: 3,
    },
  ],
};

/** The same value with the members of every object in another order. */
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

test("begins with the most important members, is indented by two and ends with one line feed", () => {
  const text = stringifyRunResult(result);
  expect(text.split("\n").slice(0, 7)).toEqual([
    "{",
    '  "schemaVersion": 2,',
    '  "tool": {',
    '    "name": "assay",',
    '    "version": "0.1.0"',
    "  },",
    '  "run": {',
  ]);
  expect(text.endsWith("}\n")).toBe(true);
  expect(JSON.parse(text)).toEqual(result);
});

test("does not depend on the order of members", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (seed) => {
      const other = shuffled(result, (name) => ((name.length + 7) * (name.charCodeAt(1) + 1) * seed) % 97);
      expect([isResult(other) && stringifyRunResult(other)]).toEqual([stringifyRunResult(result)]);
    }),
    { numRuns: 50 },
  );
});

test("hostile text stays in its string and can be parsed again", () => {
  const hostile = "\u001b[31m\u0000\ud800 ]]> </script> \u2028 __proto__ \u202e";
  const summary = { ...result, summary: hostile };
  expect(JSON.parse(stringifyRunResult(summary)).summary).toBe(hostile);
  expect(stringifyRunResult(summary)).toContain("\\u001b[31m\\u0000\\ud800");
});

/** Names of members in the order in which they first occur. */
const namesIn = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(/^ *"(?<name>[\w-]+)":/gmu), ({ groups }) => groups?.["name"] ?? "")),
];

test("known members have a fixed order, others follow by name", () => {
  const partlyBlocked = { blockedBy: "limit", missing: "m" } as const;
  const verdict = { ...sampleVerdicts.failed, partlyBlocked };
  const one: RunResult = {
    ...result,
    knownFailureMistakes: ["m"],
    knownFailureNotes: ["n"],
    verdicts: [ruleVerdict(verdict, { known: knownFailure, notes: [observation] })],
    unspecified: [{ behaviour: "g", seen: [] }],
    exchanges: [{ ...result.exchanges[0]!, status: 200, firstMatchMicros: 1, failure: "f" }],
  };
  const names = namesIn(stringifyRunResult(Object.assign({ zebra: 1, ape: 2 }, one)));
  expect(names.join(" ")).toBe(
    [
      "schemaVersion tool name version run id startedAt target embedded profile seed strict",
      "outcome exitCode summary incomplete code message knownFailureMistakes knownFailureNotes",
      "counts passed failed warned known-failure fixed not-tested not-applicable blocked",
      "verdicts rule interface operation title basis requirements specification section text mustTest",
      "verdict findings kind argument exchange event offset length pointer standardClient excerpt before marked after curl",
      "moreFindings affectedExchanges partlyBlocked blockedBy missing known reason owner expires source line status notes",
      "unspecified behaviour seen exchanges probe url bytes events matches firstMatchMicros durationMicros failure ape zebra",
    ].join(" "),
  );
});
