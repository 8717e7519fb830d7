import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeShift, type ShiftFacts } from "./judge-shift.ts";

const facts: ShiftFacts = {
  metric: "first-match p50",
  shift: { estimate: 0, low: 0, high: 0 },
  irreducibleHalfWidth: 0,
  undecidedReason: "it stays open",
  base: 100,
  head: 100,
  confidence: 0.998,
  margin: 0.05,
  units: 30,
  minUnits: 12,
  unitName: "complete pairs of blocks",
};
const log = Math.log1p;
const between = (low: number, high: number, estimate = (low + high) / 2) => ({
  low: log(low),
  high: log(high),
  estimate: log(estimate),
});

describe("verdict on one metric", () => {
  test.each([
    { name: "wholly beyond the margin above is regressed", shift: between(0.06, 0.1), verdict: "regressed" },
    { name: "wholly beyond the margin below is improved", shift: between(-0.1, -0.06), verdict: "improved" },
    {
      name: "wholly within the margin is unchanged, though zero lies outside",
      shift: between(0.01, 0.04),
      verdict: "unchanged",
    },
    {
      name: "on the margin itself is unchanged",
      shift: { low: -log(0.05), high: log(0.05), estimate: 0 },
      verdict: "unchanged",
    },
    { name: "across the margin is inconclusive", shift: between(0.01, 0.12), verdict: "inconclusive" },
    { name: "wider than both margins is inconclusive", shift: between(-0.2, 0.2), verdict: "inconclusive" },
    {
      name: "without ends is inconclusive",
      shift: { estimate: 0.5, low: -Infinity, high: Infinity },
      verdict: "inconclusive",
    },
    {
      name: "not a number is inconclusive",
      shift: { estimate: Number.NaN, low: Number.NaN, high: Number.NaN },
      verdict: "inconclusive",
    },
  ])("an interval $name", ({ shift, verdict }) => {
    expect(judgeShift({ ...facts, shift }).verdict).toBe(verdict);
  });

  test.each([
    { shift: between(0.06, 0.1), verdict: "improved" },
    { shift: between(-0.1, -0.06), verdict: "regressed" },
  ])("of the throughput more is better: $verdict", ({ shift, verdict }) => {
    expect(judgeShift({ ...facts, metric: "throughput", shift }).verdict).toBe(verdict);
  });

  test("with too few units is inconclusive for any interval, and names how many are missing", () => {
    expect(judgeShift({ ...facts, shift: between(0.5, 0.6), units: 11 })).toMatchObject({
      verdict: "inconclusive",
      unitsNeeded: 1,
      note: "complete pairs of blocks: 11, and a verdict needs at least 12",
    });
  });

  test("leaves out values that are not finite", () => {
    const judged = judgeShift({
      ...facts,
      shift: { estimate: Number.NaN, low: -Infinity, high: Infinity },
      base: Number.NaN,
      head: Number.NaN,
      units: 0,
    });
    expect(Object.keys(judged).toSorted()).toEqual([
      "confidence",
      "margin",
      "metric",
      "note",
      "units",
      "unitsNeeded",
      "verdict",
    ]);
  });

  test("reports the detectable change: half the interval and the margin", () => {
    const { detectable } = judgeShift({ ...facts, shift: { estimate: 0, low: -log(0.02), high: log(0.02) } });
    expect(detectable).toBeCloseTo(1.05 * 1.02 - 1, 12);
  });

  test.each([
    {
      name: "four times the units halve the interval",
      shift: { estimate: 0, low: -2 * log(0.05), high: 2 * log(0.05) },
      expected: 90,
    },
    {
      name: "from beyond the margin as from within",
      shift: { estimate: 2 * log(0.05), low: 0, high: 4 * log(0.05) },
      expected: 90,
    },
    {
      name: "at least one",
      shift: { estimate: 0.001, low: 0.001 - log(0.05), high: 0.001 + log(0.05) },
      expected: 2,
    },
    {
      name: "nothing is promised at the margin",
      shift: { estimate: log(0.05), low: 0, high: 2 * log(0.05) },
      expected: undefined,
    },
  ])("units still needed: $name", ({ shift, expected }) => {
    expect(judgeShift({ ...facts, shift }).unitsNeeded).toBe(expected);
  });

  test.each([
    { shift: between(0.01, 0.2), note: "leaning worse" },
    { shift: between(-0.2, -0.01), note: "leaning better" },
    { shift: between(-0.2, 0.2, 0.001), note: undefined },
  ])("an undecided interval is $note", ({ shift, note }) => {
    expect(judgeShift({ ...facts, shift }).note).toBe(note);
  });

  test.each([
    {
      name: "an open end on the far side is regressed",
      shift: { estimate: 0.5, low: 0.2, high: Infinity },
      verdict: "regressed",
    },
    {
      name: "any other open end is inconclusive",
      shift: { estimate: 0, low: -0.01, high: Infinity },
      verdict: "inconclusive",
    },
  ])("an interval with $name", ({ shift, verdict }) => {
    const judged = judgeShift({ ...facts, shift, irreducibleHalfWidth: Number.POSITIVE_INFINITY });
    expect(judged.verdict).toBe(verdict);
    expect(judged).not.toHaveProperty("high");
    expect(judged).not.toHaveProperty("detectable");
  });

  test("a head with arrivals that could not begin is not improved or unchanged, and can regress", () => {
    const better = { ...facts, shift: between(-0.3, -0.2) };
    expect(judgeShift(better).verdict).toBe("improved");
    expect(judgeShift({ ...better, headNotBegun: 3 })).toMatchObject({
      verdict: "inconclusive",
      note: "the head cannot keep up, so it may be slower: 3 of its arrivals could not begin; use a lower rate",
    });
    const same = { ...facts, shift: between(-0.01, 0.01) };
    expect(judgeShift(same).verdict).toBe("unchanged");
    expect(judgeShift({ ...same, headNotBegun: 3 }).verdict).toBe("inconclusive");
    expect(judgeShift({ ...facts, shift: between(0.2, 0.3), headNotBegun: 3 }).verdict).toBe("regressed");
  });

  test("a part that more units cannot decide is given as the reason, and no number of units is promised", () => {
    const open = { shift: { estimate: 0, low: -log(0.1), high: log(0.1) }, irreducibleHalfWidth: log(0.08) };
    expect(judgeShift({ ...facts, ...open })).toMatchObject({ verdict: "inconclusive", note: "it stays open" });
    expect(judgeShift({ ...facts, ...open })).not.toHaveProperty("unitsNeeded");
    expect(judgeShift({ ...facts, ...open, irreducibleHalfWidth: log(0.01) }).unitsNeeded).toBeGreaterThan(0);
  });

  test("regressed and improved are each other's mirror", () => {
    const end = fc.double({ min: -0.5, max: 0.5, noNaN: true });
    const mirror = {
      regressed: "improved",
      improved: "regressed",
      unchanged: "unchanged",
      inconclusive: "inconclusive",
    };
    fc.assert(
      fc.property(end, end, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const plain = judgeShift({ ...facts, shift: { estimate: (low + high) / 2, low, high } });
        const turned = judgeShift({ ...facts, shift: { estimate: -(low + high) / 2, low: -high, high: -low } });
        expect(turned.verdict).toBe(mirror[plain.verdict]);
      }),
    );
  });
});
