import { defined } from "@assay/contract";
import type { ComparedMetric, ComparisonVerdict, MetricComparison } from "@assay/results";
import type { Interval } from "../statistics/interval.ts";

/** A shift between values of which some have only bounds. */
export interface BoundedShift {
  /** Valid for all values within the bounds. */
  readonly shift: Interval;
  /** Half the width that more units cannot reduce; 0 if all values are exact. */
  readonly irreducibleHalfWidth: number;
}

/** Combines the intervals of the lower bounds of the shift, the observed values, and the upper bounds. */
export const combineBounds = ({
  lowest,
  observed,
  highest,
}: Readonly<Record<"lowest" | "observed" | "highest", Interval>>): BoundedShift => ({
  shift: { estimate: observed.estimate, low: lowest.low, high: highest.high },
  irreducibleHalfWidth: (highest.estimate - lowest.estimate) / 2,
});

/** Reason if some times were not observed. */
export const censoredReason = "some had not arrived when measuring stopped, and their times decide it";

/** Reason if the ends of conversations are known only between two polls. */
export const betweenPollsReason = "ends lie between two polls that are too far apart; poll more often";

/** Inputs for judging one metric. Shifts are differences of natural logarithms, head minus base. */
export interface ShiftFacts extends BoundedShift {
  readonly metric: ComparedMetric;
  /** Why the bounds leave the metric undecided, and what to do. A clause. */
  readonly undecidedReason: string;
  /** Medians of both sides. */
  readonly base: number;
  readonly head: number;
  /** Arrivals of the head that could not begin. If there are any, the head is neither faster nor unchanged. */
  readonly headNotBegun?: number;
  readonly confidence: number;
  /** A fraction, such as 0.05. */
  readonly margin: number;
  /** Pairs, or runs of the smaller side, and the minimum for a verdict. */
  readonly units: number;
  readonly minUnits: number;
  /** Name of the units, in the plural. */
  readonly unitName: string;
  /** Advice to give instead of asking for more units, if those would not help. A clause. */
  readonly alternativeAdvice?: string;
}

/** If more than this multiple of the present units is needed, no estimate is given: the change lies at the margin. */
const maxUnitFactor = 50;

const judgeInterval = ({ low, high }: Interval, limit: number, isHigherBetter: boolean): ComparisonVerdict => {
  if (low > limit) {
    return isHigherBetter ? "improved" : "regressed";
  }
  if (high < -limit) {
    return isHigherBetter ? "regressed" : "improved";
  }
  return low >= -limit && high <= limit ? "unchanged" : "inconclusive";
};

/** Returns the distance from the estimate to the nearer margin. */
const computeDistanceToMargin = ({ shift, margin }: ShiftFacts): number =>
  Math.abs(Math.abs(shift.estimate) - Math.log1p(margin));

/** Returns the part of the half-width that is due to chance. */
const computeChanceHalfWidth = ({ shift, irreducibleHalfWidth }: ShiftFacts): number =>
  (shift.high - shift.low) / 2 - irreducibleHalfWidth;

/**
 * Estimates how many more units bring the half-width below the distance to the margin. The part from chance shrinks
 * with the square root of the number of units.
 */
const estimateFurtherUnits = (facts: ShiftFacts): number | undefined => {
  const { units, irreducibleHalfWidth } = facts;
  const distance = computeDistanceToMargin(facts) - irreducibleHalfWidth;
  const totalUnits = Math.ceil(units * (computeChanceHalfWidth(facts) / distance) ** 2);
  return distance > 0 && totalUnits <= units * maxUnitFactor ? Math.max(1, totalUnits - units) : undefined;
};

const describeLeaning = ({ low, high }: Interval, isHigherBetter: boolean): string | undefined => {
  if (low > 0) {
    return isHigherBetter ? "leaning better" : "leaning worse";
  }
  return high < 0 ? (isHigherBetter ? "leaning worse" : "leaning better") : undefined;
};

const explainTooFewUnits = ({
  units,
  minUnits,
  unitName,
  alternativeAdvice,
}: ShiftFacts): Partial<MetricComparison> => {
  const note = `${unitName}: ${units}, and a verdict needs at least ${minUnits}`;
  return alternativeAdvice === undefined
    ? { unitsNeeded: Math.max(1, minUnits - units), note }
    : { note: `${note}: ${alternativeAdvice}` };
};

const isBounded = ({ low, high }: Interval): boolean => Number.isFinite(low) && Number.isFinite(high);

/** Reports whether there are enough units for an interval. Censored times may leave the interval open. */
const isJudgeable = ({ shift, irreducibleHalfWidth, units, minUnits }: ShiftFacts): boolean =>
  units >= minUnits && !Number.isNaN(shift.estimate) && (isBounded(shift) || irreducibleHalfWidth > 0);

const keepFinite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const toChangeMembers = ({ shift, base, head }: ShiftFacts) =>
  defined({
    base: keepFinite(base),
    head: keepFinite(head),
    change: keepFinite(Math.expm1(shift.estimate)),
    // An infinite logarithm is an open end, not a change of -100 %.
    low: Number.isFinite(shift.low) ? Math.expm1(shift.low) : undefined,
    high: keepFinite(Math.expm1(shift.high)),
  });

/** An interval this many times wider than the margin does not locate the change. */
const maxWidthFactor = 4;

const explainNoEstimate = (facts: ShiftFacts): string => {
  const { shift, margin, unitName, irreducibleHalfWidth, undecidedReason } = facts;
  if (irreducibleHalfWidth >= Math.max(Number.MIN_VALUE, computeDistanceToMargin(facts)) || !isBounded(shift)) {
    return undecidedReason;
  }
  return computeChanceHalfWidth(facts) > maxWidthFactor * Math.log1p(margin)
    ? `the times vary so much that no number of ${unitName} is sure to decide it`
    : "the change lies so near the margin that more may not decide it";
};

const explainSaturation = (notBegun: number): string =>
  `the head cannot keep up, so it may be slower: ${notBegun} of its arrivals could not begin; use a lower rate`;

const explainUndecided = (facts: ShiftFacts, isHigherBetter: boolean): Partial<MetricComparison> => {
  const furtherUnits = estimateFurtherUnits(facts);
  const notes = [
    describeLeaning(facts.shift, isHigherBetter),
    furtherUnits === undefined ? explainNoEstimate(facts) : undefined,
  ].filter((note) => note !== undefined);
  return {
    ...defined({ unitsNeeded: furtherUnits }),
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
  };
};

/**
 * Judges one metric by its interval: regressed or improved if the whole interval is beyond the margin, unchanged if it
 * is within, otherwise inconclusive. With fewer than `minUnits` units it is always inconclusive. For throughput, more
 * is better.
 */
export const judgeShift = (facts: ShiftFacts): MetricComparison => {
  const { metric, shift, confidence, margin, units, headNotBegun = 0 } = facts;
  const sharedFields = { metric, ...toChangeMembers(facts), confidence, margin, units };
  if (!isJudgeable(facts)) {
    return { ...sharedFields, verdict: "inconclusive", ...explainTooFewUnits(facts) };
  }
  const isHigherBetter = metric === "throughput";
  const verdict = judgeInterval(shift, Math.log1p(margin), isHigherBetter);
  if ((verdict === "improved" || verdict === "unchanged") && headNotBegun > 0) {
    return { ...sharedFields, verdict: "inconclusive", note: explainSaturation(headNotBegun) };
  }
  return {
    ...sharedFields,
    verdict,
    ...defined({ detectable: keepFinite(Math.expm1((shift.high - shift.low) / 2 + Math.log1p(margin))) }),
    ...(verdict === "inconclusive" ? explainUndecided(facts, isHigherBetter) : {}),
  };
};
