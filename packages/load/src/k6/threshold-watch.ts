import { loadSides, type LoadSide } from "@assay/contract";
import type { LoadPlan, LoadSample } from "@assay/results";
import { percentileFraction, type LatencyThreshold, type RateThreshold, type Threshold } from "../result/threshold.ts";
import { estimateArrivals } from "../result/planned-arrivals.ts";
import { isArrival, isNeutral, isNeverSent, isNotAdmitted, forEachLatency } from "../result/sample-latencies.ts";
import { minBeyondChance } from "../statistics/decide-quantile.ts";

/** Checks whether a threshold can still be met. */
export interface ThresholdWatch {
  /** Adds the next finished sample. Returns the reason as one sentence if the run must end. */
  readonly add: (sample: LoadSample) => string | undefined;
  /** Like `add`, for unfinished samples as if they ended now. Does not add them. */
  readonly checkUnderWay: (samples: readonly LoadSample[]) => string | undefined;
}

/** Maximum number of arrivals that rounding adds to a plan. */
const maxRoundingArrivals = 2;

/** Returns an upper bound on the samples of one kind in the measured phase. A mixed load has at least one conversation every ten seconds. */
const computeMaxSamples = (plan: LoadPlan): number => {
  const { blocks, durationMs } = plan;
  return blocks === undefined
    ? Math.ceil(Math.max(estimateArrivals(plan), durationMs / 10_000)) + maxRoundingArrivals
    : blocks.pairs * blocks.requestsPerBlock;
};

/** The run does not end if more than this share of requests was sent late, because the generator then caused the latencies. */
const maxLateShare = 0.05;
const minLateMs = 5;
const lateLimitFraction = 0.1;

/** The state of one side. */
interface SideState {
  /** The number of samples over the limit. */
  overCount: number;
  /** The sum of all times, for the mean. Includes censored times at their lower bounds. */
  sumMs: number;
  /** The planned times of arrivals that could not begin, in order. The first `overdueCount` of them are over the limit. */
  readonly notBegunPlanMs: number[];
  overdueCount: number;
}

const createSideState = (): SideState => ({ overCount: 0, sumMs: 0, notBegunPlanMs: [], overdueCount: 0 });

/** An arrival that could not begin is over the limit once `limitMs` have passed since its planned time. */
const countOverdue = (side: SideState, nowMs: number, limitMs: number): void => {
  while (nowMs - (side.notBegunPlanMs[side.overdueCount] ?? Number.POSITIVE_INFINITY) >= limitMs) {
    side.overdueCount += 1;
  }
};

/** Counts late requests relative to the limit of a threshold. A late generator makes every latency longer. */
const createLagWatch = (limitMs: number, [sentBefore, lateBefore] = [0, 0]) => {
  let [sent, late] = [sentBefore, lateBefore];
  const maxLagMs = Math.max(minLateMs, limitMs * lateLimitFraction);
  return {
    add: ({ outcome, planMs, sendMs }: LoadSample): void => {
      if (!isNeverSent(outcome)) {
        sent += 1;
        late += sendMs - planMs > maxLagMs ? 1 : 0;
      }
    },
    isLate: (): boolean => late > sent * maxLateShare,
    copy: () => createLagWatch(limitMs, [sent, late]),
  };
};

/** Returns a function that reports whether a side misses the threshold regardless of the remaining samples. */
const createMissCheck = ({ statistic, limitMs }: LatencyThreshold, count: number): ((side: SideState) => boolean) => {
  if (statistic === "max") {
    return ({ overCount, overdueCount }) => overCount + overdueCount > 0;
  }
  if (statistic === "mean") {
    return ({ sumMs }) => sumMs > limitMs * count;
  }
  const minOverLimit = minBeyondChance(count, percentileFraction(statistic));
  return ({ overCount, overdueCount }) => overCount + overdueCount >= minOverLimit;
};

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const addSample = (side: SideState, sample: LoadSample, { metric, limitMs, isStrict }: LatencyThreshold): void => {
  forEachLatency(sample, sample.planMs, (latency) => {
    if (latency.metric !== metric) {
      return;
    }
    if (isNotAdmitted(sample.outcome)) {
      side.notBegunPlanMs.push(sample.planMs);
      return;
    }
    const valueMs = latency.value / 1000;
    const isOver = latency.isCensored || isStrict ? valueMs >= limitMs : valueMs > limitMs;
    side.overCount += isOver ? 1 : 0;
    side.sumMs += valueMs;
  });
};

const watchLatency = (threshold: LatencyThreshold, plan: LoadPlan): ThresholdWatch => {
  const { limitMs, text } = threshold;
  const count = computeMaxSamples(plan);
  const sides: Readonly<Record<LoadSide, SideState>> = { base: createSideState(), head: createSideState() };
  const isMissed = createMissCheck(threshold, count);
  const lag = createLagWatch(limitMs);
  let [startMs, nowMs] = [Number.POSITIVE_INFINITY, 0];
  const advanceTime = ({ planMs, endMs }: LoadSample): void => {
    startMs = Math.min(startMs, planMs);
    nowMs = Math.max(nowMs, endMs);
  };
  const describeMiss = ({ overCount, overdueCount }: SideState, suffix = ""): string =>
    `the run was ended after ${formatSeconds(nowMs - startMs)}, because \`${text}\` can no longer be met: ${overCount + overdueCount} of at most ${count} samples are over it${suffix}`;
  return {
    add: (sample) => {
      advanceTime(sample);
      lag.add(sample);
      const side = sides[sample.side];
      addSample(side, sample, threshold);
      countOverdue(side, nowMs, limitMs);
      return isMissed(side) && !lag.isLate() ? describeMiss(side) : undefined;
    },
    checkUnderWay: (samples) => {
      const lagNow = lag.copy();
      const sidesNow: Readonly<Record<LoadSide, SideState>> = { base: { ...sides.base }, head: { ...sides.head } };
      for (const sample of samples) {
        advanceTime(sample);
        lagNow.add(sample);
        addSample(sidesNow[sample.side], sample, threshold);
      }
      return loadSides
        .map((side) => {
          countOverdue(sidesNow[side], nowMs, limitMs);
          const underWay = sidesNow[side].overCount - sides[side].overCount;
          const unfinished = underWay === 0 ? "" : `, ${underWay} of them still under way`;
          return isMissed(sidesNow[side]) && !lagNow.isLate() ? describeMiss(sidesNow[side], unfinished) : undefined;
        })
        .find((sentence) => sentence !== undefined);
    },
  };
};

const watchRate = (threshold: RateThreshold, plan: LoadPlan): ThresholdWatch => {
  const { limitFraction, isStrict, text } = threshold;
  const count = computeMaxSamples(plan) * (plan.targets.head === undefined ? 1 : 2);
  const failed = { stream: 0, conversation: 0, call: 0 };
  let [startMs, nowMs] = [Number.POSITIVE_INFINITY, 0];
  const add: ThresholdWatch["add"] = (sample) => {
    const { kind, outcome } = sample;
    startMs = Math.min(startMs, sample.planMs);
    nowMs = Math.max(nowMs, sample.endMs);
    const isAttempted = !isNeutral(outcome) || isNeverSent(outcome);
    failed[kind] += isArrival(sample) && isAttempted && outcome !== "ok" ? 1 : 0;
    const maxShare = 1 - failed[kind] / count;
    const canBeMet = isStrict ? maxShare > limitFraction : maxShare >= limitFraction;
    return canBeMet
      ? undefined
      : `the run was ended after ${formatSeconds(nowMs - startMs)}, because \`${text}\` can no longer be met: ${failed[kind]} of at most ${count} failed`;
  };
  // Unfinished requests may still succeed.
  return { add, checkUnderWay: () => undefined };
};

/**
 * Watches the samples of a run, in the order in which they ended, for thresholds with the severity `abort`. A threshold
 * ends the run once it is missed even if all remaining planned samples meet it. The final verdict uses the same rule,
 * so frequent checks cause no false alarms. Unfinished requests over the limit are included, as if the run ended now. A
 * run does not end because of requests that the generator sent late.
 */
export const createThresholdWatch = (thresholds: readonly Threshold[], plan: LoadPlan): ThresholdWatch => {
  const watches = thresholds
    .filter(({ severity }) => severity === "abort")
    .map((threshold) => (threshold.kind === "latency" ? watchLatency(threshold, plan) : watchRate(threshold, plan)));
  return {
    add: (sample) =>
      sample.phase === "measure"
        ? watches.map(({ add }) => add(sample)).find((sentence) => sentence !== undefined)
        : undefined,
    checkUnderWay: (samples) => {
      const measuredSamples = samples.filter(({ phase }) => phase === "measure");
      return watches
        .map(({ checkUnderWay }) => checkUnderWay(measuredSamples))
        .find((sentence) => sentence !== undefined);
    },
  };
};
