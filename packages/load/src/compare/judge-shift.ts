import { defined } from "@assay/contract";
import type { ComparedMetric, ComparisonVerdict, MetricComparison } from "@assay/results";
import type { Interval } from "../statistics/interval.ts";

/** A shift of values of which some are known only to lie between two. */
export interface BoundedShift {
  /** Holds whatever they were. */
  readonly shift: Interval;
  /** Half of what stays open however many units there are; 0 where all are known. */
  readonly openHalfWidth: number;
}

/** Puts a shift together from its intervals when all values are as good for the head as they can be, as seen, and as bad. */
export const boundedShift = ({
  least,
  seen,
  most,
}: Readonly<Record<"least" | "seen" | "most", Interval>>): BoundedShift => ({
  shift: { estimate: seen.estimate, low: least.low, high: most.high },
  openHalfWidth: (most.estimate - least.estimate) / 2,
});

/** Why a time stays open of which some had not come. */
export const openWhereLater =
  "some had not come when nobody watched any more, and what they would have taken decides it";

/** Why a time to the end of a conversation stays open whatever is added to the units. */
export const openBetweenPolls = "ends lie between two polls, so far apart that they decide it: poll more often";

/** What is known of one metric before it is judged. Shifts are differences of natural logarithms, head minus base. */
export interface ShiftFacts extends BoundedShift {
  readonly metric: ComparedMetric;
  /** One clause: why something stays open, and what to do about it. */
  readonly openReason: string;
  /** Middle values of both sides. */
  readonly base: number;
  readonly head: number;
  /** Arrivals of the head that could not begin. A side that serves only a part is neither faster nor the same. */
  readonly headNotBegun?: number;
  readonly confidence: number;
  /** A fraction, such as 0.05. */
  readonly margin: number;
  /** Pairs, or runs of the smaller side, and the fewest that allow a verdict. */
  readonly units: number;
  readonly fewestUnits: number;
  /** What one of them is, in the plural. */
  readonly unitName: string;
  /** One clause, where more units of the same kind would change nothing: what to do instead. */
  readonly insteadOfMore?: string;
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

/** From the estimate to the nearer margin. */
const wayToMargin = ({ shift, margin }: ShiftFacts): number => Math.abs(Math.abs(shift.estimate) - Math.log1p(margin));

/** What is left of the half-width for chance. */
const chanceHalfWidth = ({ shift, openHalfWidth }: ShiftFacts): number => (shift.high - shift.low) / 2 - openHalfWidth;

/** Further units until half the width, of which chance shrinks with the root of their number, is less than the way to the margin. */
const furtherUnits = (facts: ShiftFacts): number | undefined => {
  const { units, openHalfWidth } = facts;
  const way = wayToMargin(facts) - openHalfWidth;
  const needed = Math.ceil(units * (chanceHalfWidth(facts) / way) ** 2);
  return way > 0 && needed <= units * farthest ? Math.max(1, needed - units) : undefined;
};

const leaning = ({ low, high }: Interval, isHigherBetter: boolean): string | undefined => {
  if (low > 0) {
    return isHigherBetter ? "leaning better" : "leaning worse";
  }
  return high < 0 ? (isHigherBetter ? "leaning worse" : "leaning better") : undefined;
};

const tooFew = ({ units, fewestUnits, unitName, insteadOfMore }: ShiftFacts): Partial<MetricComparison> => {
  const note = `${unitName}: ${units}, and a verdict needs at least ${fewestUnits}`;
  return insteadOfMore === undefined
    ? { unitsNeeded: Math.max(1, fewestUnits - units), note }
    : { note: `${note}: ${insteadOfMore}` };
};

const hasBothEnds = ({ low, high }: Interval): boolean => Number.isFinite(low) && Number.isFinite(high);

/** Whether there were units enough for an interval; what stays open for another reason may leave it without ends. */
const isJudgeable = ({ shift, openHalfWidth, units, fewestUnits }: ShiftFacts): boolean =>
  units >= fewestUnits && !Number.isNaN(shift.estimate) && (hasBothEnds(shift) || openHalfWidth > 0);

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const changesOf = ({ shift, base, head }: ShiftFacts) => ({
  ...defined({
    base: finite(base),
    head: finite(head),
    change: finite(Math.expm1(shift.estimate)),
    // The logarithm of nothing: an open end, and no change by -100 %.
    low: Number.isFinite(shift.low) ? Math.expm1(shift.low) : undefined,
    high: finite(Math.expm1(shift.high)),
  }),
});

/** An interval this many times as wide as the margin says nothing about where the change lies. */
const farTooWide = 4;

const hopeless = (facts: ShiftFacts): string => {
  const { shift, margin, unitName, openHalfWidth, openReason } = facts;
  if (openHalfWidth >= Math.max(Number.MIN_VALUE, wayToMargin(facts)) || !hasBothEnds(shift)) {
    return openReason;
  }
  return chanceHalfWidth(facts) > farTooWide * Math.log1p(margin)
    ? `the times were so unsteady that no number of ${unitName} can be promised to decide it`
    : "the change lies so near the margin that more may not decide it";
};

const saturated = (notBegun: number): string =>
  `nothing says that the head is no slower, since it cannot keep up: ${notBegun} of its arrivals could not begin; use a lower rate`;

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
  const { metric, shift, confidence, margin, units, headNotBegun = 0 } = facts;
  const common = { metric, ...changesOf(facts), confidence, margin, units };
  if (!isJudgeable(facts)) {
    return { ...common, verdict: "inconclusive", ...tooFew(facts) };
  }
  const isHigherBetter = metric === "throughput";
  const verdict = verdictOf(shift, Math.log1p(margin), isHigherBetter);
  if ((verdict === "improved" || verdict === "unchanged") && headNotBegun > 0) {
    return { ...common, verdict: "inconclusive", note: saturated(headNotBegun) };
  }
  return {
    ...common,
    verdict,
    ...defined({ detectable: finite(Math.expm1((shift.high - shift.low) / 2 + Math.log1p(margin))) }),
    ...(verdict === "inconclusive" ? undecided(facts, isHigherBetter) : {}),
  };
};
