import type { LoadArm, LoadPlan, LoadSample } from "@assay/results";
import { percentFraction, type LatencyThreshold, type RateThreshold, type Threshold } from "../result/threshold.ts";
import { plannedArrivals } from "../result/planned-arrivals.ts";
import { isArrival, isNeutral, isNeverSent, isNotAdmitted, offerLatencies } from "../result/sample-latencies.ts";
import { fewestBeyondChance } from "../statistics/decide-quantile.ts";

/** Looks whether a threshold can still be kept. */
export interface ThresholdWatch {
  /** Takes the next sample that ended; one sentence when the run is to end. */
  readonly see: (sample: LoadSample) => string | undefined;
  /** Takes what is under way, as it would be if it ended now, and forgets it again: what has not come by now comes later. Likewise. */
  readonly seeUnderWay: (samples: readonly LoadSample[]) => string | undefined;
}

/** Rounding may add so many arrivals to a plan. */
const rounding = 2;

/**
 * At most so many samples of one kind there will be in the measured part. Conversations beside searches are fewer, but one in ten
 * seconds at least.
 */
const mostSamples = (plan: LoadPlan): number => {
  const { blocks, durationMs } = plan;
  return blocks === undefined
    ? Math.ceil(Math.max(plannedArrivals(plan), durationMs / 10_000)) + rounding
    : blocks.pairs * blocks.requestsPerBlock;
};

/** A run of which more than this share was sent late does not end on the target's account. */
const lateShare = 0.05;
const leastLateMs = 5;
const lateOfLimit = 0.1;

/** What is known of one arm. */
interface Beyond {
  /** Samples that are beyond the limit. */
  over: number;
  /** Sum of all that was seen, for a mean: each at least so long. */
  sumMs: number;
  /** Plans of arrivals that could not begin, in order, and how many of them are beyond the limit by now. */
  readonly waiting: number[];
  passed: number;
}

const newBeyond = (): Beyond => ({ over: 0, sumMs: 0, waiting: [], passed: 0 });

/** What could not begin is beyond the limit once so much time has passed since its plan. */
const passTime = (beyond: Beyond, nowMs: number, limitMs: number): void => {
  while (nowMs - (beyond.waiting[beyond.passed] ?? Number.POSITIVE_INFINITY) >= limitMs) {
    beyond.passed += 1;
  }
};

/** How late requests were sent, by the limit of a threshold: a generator that is late makes every latency longer. */
const createLagWatch = (limitMs: number, [sentBefore, lateBefore] = [0, 0]) => {
  let [sent, late] = [sentBefore, lateBefore];
  const mostMs = Math.max(leastLateMs, limitMs * lateOfLimit);
  return {
    see: ({ outcome, planMs, sendMs }: LoadSample): void => {
      if (!isNeverSent(outcome)) {
        sent += 1;
        late += sendMs - planMs > mostMs ? 1 : 0;
      }
    },
    isLate: (): boolean => late > sent * lateShare,
    copy: () => createLagWatch(limitMs, [sent, late]),
  };
};

/** When an arm has missed a threshold, whatever the other samples of the plan will be. */
const missRule = ({ statistic, limitMs }: LatencyThreshold, count: number): ((beyond: Beyond) => boolean) => {
  if (statistic === "max") {
    return ({ over, passed }) => over + passed > 0;
  }
  if (statistic === "mean") {
    return ({ sumMs }) => sumMs > limitMs * count;
  }
  const needed = fewestBeyondChance(count, percentFraction(statistic));
  return ({ over, passed }) => over + passed >= needed;
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const addTo = (beyond: Beyond, sample: LoadSample, { metric, limitMs, isStrict }: LatencyThreshold): void => {
  offerLatencies(sample, sample.planMs, (latency) => {
    if (latency.metric !== metric) {
      return;
    }
    if (isNotAdmitted(sample.outcome)) {
      beyond.waiting.push(sample.planMs);
      return;
    }
    const valueMs = latency.value / 1000;
    const isOver = latency.isCensored || isStrict ? valueMs >= limitMs : valueMs > limitMs;
    beyond.over += isOver ? 1 : 0;
    beyond.sumMs += valueMs;
  });
};

const watchLatency = (threshold: LatencyThreshold, plan: LoadPlan): ThresholdWatch => {
  const { limitMs, text } = threshold;
  const count = mostSamples(plan);
  const arms: Readonly<Record<LoadArm, Beyond>> = { a: newBeyond(), b: newBeyond() };
  const isMissed = missRule(threshold, count);
  const lag = createLagWatch(limitMs);
  let [startMs, nowMs] = [Number.POSITIVE_INFINITY, 0];
  const passTo = ({ planMs, endMs }: LoadSample): void => {
    startMs = Math.min(startMs, planMs);
    nowMs = Math.max(nowMs, endMs);
  };
  const sentenceOf = ({ over, passed }: Beyond, ended = ""): string =>
    `the run was ended after ${seconds(nowMs - startMs)}, because \`${text}\` can no longer be kept: ${over + passed} of at most ${count} samples are over it${ended}`;
  return {
    see: (sample) => {
      passTo(sample);
      lag.see(sample);
      const beyond = arms[sample.arm];
      addTo(beyond, sample, threshold);
      passTime(beyond, nowMs, limitMs);
      return isMissed(beyond) && !lag.isLate() ? sentenceOf(beyond) : undefined;
    },
    seeUnderWay: (samples) => {
      const lagNow = lag.copy();
      const armsNow: Readonly<Record<LoadArm, Beyond>> = { a: { ...arms.a }, b: { ...arms.b } };
      for (const sample of samples) {
        passTo(sample);
        lagNow.see(sample);
        addTo(armsNow[sample.arm], sample, threshold);
      }
      return (["a", "b"] as const)
        .map((arm) => {
          passTime(armsNow[arm], nowMs, limitMs);
          const underWay = armsNow[arm].over - arms[arm].over;
          const told = underWay === 0 ? "" : `, ${underWay} of them still under way`;
          return isMissed(armsNow[arm]) && !lagNow.isLate() ? sentenceOf(armsNow[arm], told) : undefined;
        })
        .find((sentence) => sentence !== undefined);
    },
  };
};

const watchRate = (threshold: RateThreshold, plan: LoadPlan): ThresholdWatch => {
  const { limitFraction, isStrict, text } = threshold;
  const count = mostSamples(plan) * (plan.targets.b === undefined ? 1 : 2);
  const failed = { stream: 0, conversation: 0, call: 0 };
  let [startMs, nowMs] = [Number.POSITIVE_INFINITY, 0];
  const see: ThresholdWatch["see"] = (sample) => {
    const { kind, outcome } = sample;
    startMs = Math.min(startMs, sample.planMs);
    nowMs = Math.max(nowMs, sample.endMs);
    const isTried = !isNeutral(outcome) || isNeverSent(outcome);
    failed[kind] += isArrival(sample) && isTried && outcome !== "ok" ? 1 : 0;
    const best = 1 - failed[kind] / count;
    const isKept = isStrict ? best > limitFraction : best >= limitFraction;
    return isKept
      ? undefined
      : `the run was ended after ${seconds(nowMs - startMs)}, because \`${text}\` can no longer be kept: ${failed[kind]} of at most ${count} failed`;
  };
  // What has not ended may still go well.
  return { see, seeUnderWay: () => undefined };
};

/**
 * A watch over the samples of a run, in the order in which they ended, for the thresholds that are to end it. One ends it when so
 * many samples are beyond the limit that it is missed even if all others that are planned keep it: by the rule that judges it at the end,
 * so looking often makes no false alarm. What is under way and has not kept the limit by now counts as beyond it, as it would if the run ended now. Samples that the generator sent late do not end a run.
 */
export const createThresholdWatch = (thresholds: readonly Threshold[], plan: LoadPlan): ThresholdWatch => {
  const watches = thresholds
    .filter(({ severity }) => severity === "abort")
    .map((threshold) => (threshold.kind === "latency" ? watchLatency(threshold, plan) : watchRate(threshold, plan)));
  return {
    see: (sample) =>
      sample.phase === "measure"
        ? watches.map(({ see }) => see(sample)).find((sentence) => sentence !== undefined)
        : undefined,
    seeUnderWay: (samples) => {
      const measured = samples.filter(({ phase }) => phase === "measure");
      return watches.map(({ seeUnderWay }) => seeUnderWay(measured)).find((sentence) => sentence !== undefined);
    },
  };
};
