import { compileFunction } from "node:vm";
import { generateCheck, toChecker } from "@assay/reading";
import fc from "fast-check";
import { assert, expect, test } from "vitest";
import { recordDraft } from "../recorded-exchange.ts";
import { exampleDraft, exampleManifest } from "../testing/exchange-example.ts";
import { generateRecordCheckers } from "./generate-record-checkers.ts";
import * as compiled from "./record-checkers.ts";

const { checkedShapes, ...checkers } = compiled;
const names = ["recordChecker", "manifestChecker", "footerChecker", "knownFailuresChecker"] as const;
const valid: Readonly<Record<(typeof names)[number], unknown>> = {
  recordChecker: recordDraft(exampleDraft("e0", ["event: done\n", "data: {}\n\n"])).record,
  manifestChecker: { ...exampleManifest, knownFailures: [{ source: "a", text: "b" }], notes: ["c"] },
  footerChecker: { ended: "complete", exchanges: 1, bodies: 1, exchangesSha256: "0a".repeat(32) },
  knownFailuresChecker: [{ source: "a", text: "b", isShipped: true }],
};

type Check = ReturnType<Parameters<typeof toChecker>[0]>;

function runGenerated(code: string): Check {
  const module: { exports?: Check } = {};
  compileFunction(code, ["module"])(module);
  assert(module.exports !== undefined);
  return module.exports;
}

/** Replaces or removes one member at random, also inside of members. */
const withWrongMember = (value: unknown, wrong: unknown, [place, ...others]: readonly number[]): unknown => {
  if (place === undefined || typeof value !== "object" || value === null) {
    return wrong;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([name, member], index): [string, unknown] =>
    index === place % entries.length ? [name, withWrongMember(member, wrong, others)] : [name, member],
  );
  const kept = changed.filter(([, member]) => member !== undefined);
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
};

test("each checker has a shape and a generated check", () => {
  expect(Object.keys(checkers).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(checkedShapes)).toEqual(names);
  expect([...generateRecordCheckers().matchAll(/export const (\w+)/gu)].map(([, name]) => name)).toEqual(names);
});

test.each(names)("%s finds the same problem generated and compiled", (name) => {
  const generated = toChecker(() => runGenerated(generateCheck(checkedShapes[name])));
  expect([checkers[name].problem(valid[name]), generated.problem(valid[name])]).toEqual([undefined, undefined]);
  let problemCount = 0;
  fc.assert(
    fc.property(
      fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
      fc.array(fc.nat(), { maxLength: 4 }),
      (wrong, places) => {
        const value = withWrongMember(valid[name], wrong, places);
        const problem = generated.problem(value);
        problemCount += problem === undefined ? 0 : 1;
        expect(problem).toBe(checkers[name].problem(value));
        expect(generated.fits(value)).toBe(problem === undefined);
      },
    ),
    { numRuns: 300 },
  );
  expect(problemCount).toBeGreaterThan(20);
});
