import { defined } from "@assay/contract";
import type { ComparedMetric, ComparisonVerdict, MetricComparison } from "@assay/results";
import type { Interval } from "../statistics/interval.ts";

/** What is known of one metric before it is judged. Shifts are differences of natural logarithms, head minus base. */
export interface ShiftFacts {
  readonly metric: ComparedMetric;
  readonly shift: Interval;
  /** Middle values of both sides. */
  readonly base: number;
  readonly head: number;
  readonly confidence: number;
  /** A fraction, such as 0.05. */
  readonly margin: number;
  /** Pairs, or runs of the smaller side, and the fewest that allow a verdict. */
  readonly units: number;
  readonly fewestUnits: number;
  /** What one of them is, in the plural. */
  readonly unitName: string;
}

/** More units than this many times those at hand are not promised to decide anything: the change lies at the margin. */
const farthest = 50;

const verdictOf = ({ low, high }: Interval, limit: number, isHigherBetter: boolean): ComparisonVerdict => {
  if (low > limit) {
    return isHigherBetter ? "improved" : "regressed";
  }
  if (high < -limit) {
    return isHigherBetter ? "regressed" : "improved";
  }
  return low >= -limit && high <= limit ? "unchanged" : "inconclusive";
};

/** Further units until half the width, which shrinks with the root of their number, is less than the way to the nearer margin. */
const furtherUnits = ({ shift, units, margin }: ShiftFacts): number | undefined => {
  const halfWidth = (shift.high - shift.low) / 2;
  const way = Math.abs(Math.abs(shift.estimate) - Math.log1p(margin));
  const needed = Math.ceil(units * (halfWidth / way) ** 2);
  return needed <= units * farthest ? Math.max(1, needed - units) : undefined;
};

const leaning = ({ low, high }: Interval, isHigherBetter: boolean): string | undefined => {
  if (low > 0) {
    return isHigherBetter ? "leaning better" : "leaning worse";
  }
  return high < 0 ? (isHigherBetter ? "leaning worse" : "leaning better") : undefined;
};

const tooFew = ({ units, fewestUnits, unitName }: ShiftFacts): string =>
  `${unitName}: ${units}, and a verdict needs at least ${fewestUnits}`;

const isBounded = ({ low, high }: Interval): boolean => Number.isFinite(low) && Number.isFinite(high);

const changesOf = ({ shift, base, head }: ShiftFacts) => ({
  ...(Number.isFinite(base) ? { base } : {}),
  ...(Number.isFinite(head) ? { head } : {}),
  ...(Number.isFinite(shift.estimate) ? { change: Math.expm1(shift.estimate) } : {}),
  ...(Number.isFinite(shift.low) ? { low: Math.expm1(shift.low) } : {}),
  ...(Number.isFinite(shift.high) ? { high: Math.expm1(shift.high) } : {}),
});

/** An interval this many times as wide as the margin says nothing about where the change lies. */
const farTooWide = 4;

const hopeless = ({ shift, margin, unitName }: ShiftFacts): string =>
  (shift.high - shift.low) / 2 > farTooWide * Math.log1p(margin)
    ? `the times were so unsteady that no number of ${unitName} can be promised to decide it`
    : "the change lies so near the margin that more may not decide it";

const undecided = (facts: ShiftFacts, isHigherBetter: boolean): Partial<MetricComparison> => {
  const further = furtherUnits(facts);
  const notes = [leaning(facts.shift, isHigherBetter), further === undefined ? hopeless(facts) : undefined].filter(
    (note) => note !== undefined,
  );
  return {
    ...defined({ unitsNeeded: further }),
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
  };
};

/**
 * Judges one metric by its interval. Beyond the margin with the whole interval: regressed or improved; within it with the whole
 * interval: unchanged; else, and always with fewer units than the fewest: inconclusive. Of the throughput more is better.
 */
export const judgeShift = (facts: ShiftFacts): MetricComparison => {
  const { metric, shift, confidence, margin, units, fewestUnits } = facts;
  const common = { metric, ...changesOf(facts), confidence, margin, units };
  if (units < fewestUnits || !isBounded(shift)) {
    return { ...common, verdict: "inconclusive", unitsNeeded: Math.max(1, fewestUnits - units), note: tooFew(facts) };
  }
  const isHigherBetter = metric === "throughput";
  const verdict = verdictOf(shift, Math.log1p(margin), isHigherBetter);
  return {
    ...common,
    verdict,
    detectable: Math.expm1((shift.high - shift.low) / 2 + Math.log1p(margin)),
    ...(verdict === "inconclusive" ? undecided(facts, isHigherBetter) : {}),
  };
};
