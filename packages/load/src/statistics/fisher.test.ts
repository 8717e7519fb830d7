import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { expect, test } from "vitest";
import { binomialUpperTail, signTestPValue } from "./binomial.ts";
import { fisherPValue, type Share } from "./fisher.ts";

const choose = (n: number, k: number): bigint => {
  let result = 1n;
  for (let step = 0; step < k; step += 1) {
    result = (result * BigInt(n - step)) / BigInt(step + 1);
  }
  return result;
};

/** By the definition, in whole numbers: the chance of all tables that are no more likely than the one seen. */
const byDefinition = ({ hits: a, total: n }: Share, { hits: b, total: m }: Share): number => {
  const ways = Array.from({ length: n + 1 }, (_, hits) => hits)
    .filter((hits) => hits <= a + b && a + b - hits <= m)
    .map((hits) => choose(n, hits) * choose(m, a + b - hits));
  const seen = choose(n, a) * choose(m, b);
  const rare = ways.filter((way) => way <= seen).reduce((sum, way) => sum + way, 0n);
  return Number((rare * 10n ** 18n) / ways.reduce((sum, way) => sum + way, 0n)) / 1e18;
};

test("Fisher's test equals its definition in whole numbers", () => {
  const share = fc
    .integer({ min: 0, max: 40 })
    .chain((total) => fc.record({ total: fc.constant(total), hits: fc.integer({ min: 0, max: total }) }));
  fc.assert(
    fc.property(share, share, (one, other) => {
      expect(fisherPValue(one, other)).toBeCloseTo(byDefinition(one, other), 9);
      expect(fisherPValue(other, one)).toBeCloseTo(fisherPValue(one, other), 9);
    }),
    { numRuns: repetitions(125, 500) },
  );
});

test.each([
  { name: "the lady who tasted tea", one: { hits: 3, total: 4 }, other: { hits: 1, total: 4 }, expected: 0.4857142857 },
  { name: "nothing failed", one: { hits: 0, total: 6000 }, other: { hits: 0, total: 6000 }, expected: 1 },
  { name: "an empty side", one: { hits: 0, total: 0 }, other: { hits: 5, total: 10 }, expected: 1 },
  {
    name: "equal shares of a million",
    one: { hits: 5000, total: 1_000_000 },
    other: { hits: 5000, total: 1_000_000 },
    expected: 1,
  },
  {
    name: "all against nothing in a million",
    one: { hits: 1_000_000, total: 1_000_000 },
    other: { hits: 0, total: 1_000_000 },
    expected: 0,
  },
  {
    name: "ten failures against none in thousands",
    one: { hits: 10, total: 6000 },
    other: { hits: 0, total: 6000 },
    expected: 0.0019458,
  },
])("Fisher: $name", ({ one, other, expected }) => {
  expect(fisherPValue(one, other)).toBeCloseTo(expected, 5);
});

test("Fisher at big counts agrees with the test of two proportions", () => {
  // 5000 and 5200 of a million each: z = 1.9855 with a pooled share of 0.0051, and 1.9756 with a correction for continuity.
  expect(fisherPValue({ hits: 5000, total: 1_000_000 }, { hits: 5200, total: 1_000_000 })).toBeCloseTo(0.0482, 3);
});

test.each([
  { up: 0, down: 0, expected: 1 },
  { up: 12, down: 0, expected: 2 / 4096 },
  { up: 3, down: 3, expected: 1 },
  { up: 1, down: 7, expected: 18 / 256 },
])("the sign test of $up up and $down down gives $expected", ({ up, down, expected }) => {
  expect(signTestPValue(up, down)).toBeCloseTo(expected, 12);
});

test.each([
  { count: 10, fraction: 0.1, hits: 0, expected: 1 },
  { count: 10, fraction: 0.1, hits: 1, expected: 1 - 0.9 ** 10 },
  { count: 10, fraction: 0.1, hits: 11, expected: 0 },
  { count: 459, fraction: 0.01, hits: 1, expected: 1 - 0.99 ** 459 },
])("of $count tries at $fraction, $hits or more hit with $expected", ({ count, fraction, hits, expected }) => {
  expect(binomialUpperTail(count, fraction, hits)).toBeCloseTo(expected, 12);
});
