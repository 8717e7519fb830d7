import { defined, loadSides, type LoadSide } from "@assay/contract";
import { createHistogram, loadMetricNames } from "@assay/results";
import type {
  LoadHistogram,
  LoadInterval,
  LoadMetric,
  LoadMetricName,
  LoadOutcome,
  LoadPlan,
  LoadResult,
  LoadSample,
} from "@assay/results";
import type { SampleTable } from "../samples/sample-table.ts";
import {
  type CensoredValue,
  type CensoredValues,
  splitCensored,
  survivalQuantile,
  quantileBounds,
} from "../statistics/censored.ts";
import { createLatencyKey, type LoadLatencies, buildMetrics } from "./load-metrics.ts";
import { findLastEndMs, isArrival, isNeutral, forEachLatency } from "./sample-latencies.ts";

const minuteMs = 60_000;

/** Selects the length of a run's intervals: 1 s, 10 s above five minutes, 60 s above an hour. */
export const selectIntervalWidthMs = ({ warmupMs, durationMs }: LoadPlan): number => {
  const totalMs = warmupMs + durationMs;
  if (totalMs <= 5 * minuteMs) {
    return 1000;
  }
  return totalMs <= 60 * minuteMs ? 10_000 : minuteMs;
};

interface IntervalDraft {
  readonly index: number;
  readonly phase: LoadInterval["phase"];
  readonly side: LoadInterval["side"];
  planned: number;
  ok: number;
  failed: number;
  readonly latenciesMicros: CensoredValue[];
}

/** Metrics of intervals: first match, or the upper bound of the terminal state. */
const intervalMetrics: ReadonlySet<LoadMetricName> = new Set<LoadMetricName>(["first-match", "terminal-upper"]);

const countSample = (draft: IntervalDraft, sample: LoadSample): void => {
  draft.planned += 1;
  if (sample.outcome === "ok") {
    draft.ok += 1;
  } else if (!isNeutral(sample.outcome)) {
    draft.failed += 1;
  }
};

/** Returns a percentile in milliseconds, or its lower bound if it is censored. */
const computePercentileMs = (values: CensoredValues, fraction: number): number => {
  const micros = survivalQuantile(values, fraction);
  return (Number.isFinite(micros) ? micros : quantileBounds(values, fraction).low) / 1000;
};

const buildInterval = (draft: IntervalDraft, widthMs: number, endMs: number): LoadInterval => {
  const { index, phase, side, planned, ok, failed } = draft;
  const fromMs = index * widthMs;
  const values = splitCensored(draft.latenciesMicros);
  const { length } = values.censored;
  return {
    fromMs,
    toMs: endMs > fromMs ? Math.min(fromMs + widthMs, endMs) : fromMs + widthMs,
    phase,
    side,
    planned,
    ok,
    failed,
    ...(draft.latenciesMicros.length === 0
      ? {}
      : { p50Ms: computePercentileMs(values, 0.5), p95Ms: computePercentileMs(values, 0.95) }),
    ...(length === 0 ? {} : { censored: length }),
  };
};

/** Timing of a sample, on the clock of the run. */
interface SampleTiming {
  /** Planned time, relative to the first planned time of the run. It selects the interval. */
  readonly atMs: number;
  /** End of the run on the clock of the sample's process. Latencies that had not ended then are censored. */
  readonly endMs: number;
  /** Phase of the interval: each phase has separate intervals. */
  readonly phase: LoadInterval["phase"];
}

/** Groups streams and conversations into intervals. */
interface IntervalCounter {
  readonly add: (sample: LoadSample, timing: SampleTiming) => void;
  /** Sorted by time. At the same time, warm-up comes before measured, then base before head. Omits empty intervals. */
  readonly intervals: () => readonly LoadInterval[];
}

/** Interval percentiles are nearest-rank, even with few values. */
const createIntervalCounter = (plan: LoadPlan): IntervalCounter => {
  const widthMs = selectIntervalWidthMs(plan);
  const drafts = new Map<string, IntervalDraft>();
  return {
    add: (sample, { atMs, endMs, phase }) => {
      const index = Math.max(0, Math.floor(atMs / widthMs));
      const key = `${index} ${phase} ${sample.side}`;
      let draft = drafts.get(key);
      if (draft === undefined) {
        draft = { index, phase, side: sample.side, planned: 0, ok: 0, failed: 0, latenciesMicros: [] };
        drafts.set(key, draft);
      }
      countSample(draft, sample);
      const { latenciesMicros } = draft;
      forEachLatency(sample, endMs, (latency) => {
        if (intervalMetrics.has(latency.metric)) {
          latenciesMicros.push(latency);
        }
      });
    },
    intervals: () =>
      [...drafts.values()]
        .sort((a, b) => a.index - b.index || b.phase.localeCompare(a.phase) || a.side.localeCompare(b.side))
        .map((draft) => buildInterval(draft, widthMs, plan.warmupMs + plan.durationMs)),
  };
};

/** Streams and conversations of one side in the measured phase. */
export interface SideOutcomes {
  readonly side: LoadSide;
  readonly outcomes: Readonly<Partial<Record<LoadOutcome, number>>>;
}

/** The tally of the samples of a load run. */
export interface LoadTally {
  readonly outcomes: LoadResult["outcomes"];
  readonly warmup: LoadResult["outcomes"];
  readonly sides: readonly SideOutcomes[];
  /** Counts across all phases. */
  readonly violations: Readonly<Record<string, number>>;
  readonly histograms: readonly LoadHistogram[];
  /** Latencies in the measured phase. */
  readonly latencies: LoadLatencies;
  readonly metrics: readonly LoadMetric[];
  readonly intervals: readonly LoadInterval[];
  /**
   * Number of failures in the measured phase that a late generator cannot explain, such as refused connections. Keyed by
   * sample kind.
   */
  readonly targetFailuresByKind: Readonly<Record<string, number>>;
  /** Responses in all phases that are not from the API. Absent if there were none. */
  readonly notFromApi?: InterceptedResponses;
  /** Set if the target answered at first and later refused everything. */
  readonly refusedSince?: RefusedSince;
  /**
   * The smallest send lag in the measured phase, in milliseconds. Far below 0 if the clock was changed. Absent if
   * nothing was measured.
   */
  readonly minLagMs?: number;
}

/** Web pages and redirects received instead of API responses. */
export interface InterceptedResponses {
  readonly count: number;
  /** Planned time of the first such response's request, relative to the first planned time of the run. */
  readonly firstMs: number;
  /** Status of the first such response. */
  readonly status: number;
}

/** Refusals that lasted to the end of the run. */
export interface RefusedSince {
  readonly count: number;
  /** Time at which the first refused request was sent, relative to the first planned time of the run. */
  readonly firstMs: number;
}

/** The samples of one process of a run. */
export interface ProcessSamples {
  /** Wall-clock time that corresponds to time 0 of the samples. */
  readonly epochMs: number;
  readonly samples: Pick<SampleTable, typeof Symbol.iterator>;
}

/**
 * Treats an arrival that a plan limit prevented as an immediate success. Either all virtual users were busy
 * (`not-begun`) or the question budget was used up (`over-budget`). Returns other samples unchanged.
 */
const toBestCase = (sample: LoadSample): LoadSample => {
  const { planMs } = sample;
  if (sample.outcome !== "not-begun" && sample.outcome !== "over-budget") {
    return sample;
  }
  const success = { sendMs: planMs, endMs: planMs, outcome: "ok" } as const;
  return sample.kind === "stream"
    ? { ...sample, ...success, headersMs: planMs, firstEventMs: planMs, firstMatchMs: planMs }
    : { ...sample, ...success };
};

/** Treats every arrival that a plan limit prevented as an immediate success. */
export const toBestCaseSamples = ({ epochMs, samples }: ProcessSamples): ProcessSamples => ({
  epochMs,
  samples: {
    *[Symbol.iterator]() {
      for (const sample of samples) {
        yield toBestCase(sample);
      }
    },
  },
});

type Counts = Record<string, number>;

const addCount = (counts: Counts, name: string, amount: number): void => {
  counts[name] = (counts[name] ?? 0) + amount;
};

/** Returns the phase of a sample. Samples in warm-up pairs count as warm-up regardless of their phase. */
const getEffectivePhase = (sample: LoadSample, { blocks }: LoadPlan): LoadSample["phase"] =>
  blocks !== undefined && sample.pair !== undefined && sample.pair < blocks.warmupPairs ? "warmup" : sample.phase;

const addViolations = (violations: Counts, sample: LoadSample): void => {
  if (sample.outcome === "violation" && sample.codes === undefined) {
    addCount(violations, "unnamed", 1);
  }
  for (const [code, count] of Object.entries(sample.codes ?? {})) {
    addCount(violations, code, count);
  }
};

const isNotFromApi = ({ outcome, status = 0 }: LoadSample): boolean =>
  outcome === "bad-status" && (status === 200 || (status >= 300 && status < 400));

const addInterceptedResponse = (
  previous: InterceptedResponses | undefined,
  { status = 0 }: LoadSample,
  atMs: number,
): InterceptedResponses => {
  const { count: previousCount, firstMs } = previous ?? { count: 0, firstMs: Number.POSITIVE_INFINITY };
  return previous === undefined || atMs < firstMs
    ? { count: previousCount + 1, firstMs: atMs, status }
    : { ...previous, count: previousCount + 1 };
};

/** A request sent later than this may be part of a burst. */
const maxOnTimeLagMs = 100;
/** A stalled generator cannot explain a connection that failed faster than this. */
const maxQuickFailureMs = 1000;

/**
 * Reports whether a late load generator cannot have caused the failure. A late generator can cause timeouts,
 * connections dropped mid-response (a peer drops a client that does not read), and bursts, which a target may reject.
 */
const isNotCausedByGenerator = (sample: LoadSample): boolean => {
  if (sample.sendMs - sample.planMs > maxOnTimeLagMs) {
    return false;
  }
  switch (sample.outcome) {
    case "refused":
    case "bad-status":
      return true;
    case "transport":
      return (
        sample.kind !== "conversation" &&
        sample.status === undefined &&
        sample.endMs - sample.sendMs < maxQuickFailureMs
      );
    default:
      return false;
  }
};

/** Minimum number of refusals to report. Fewer may be coincidence. */
const minRefusals = 3;

/** Detects whether the target refused every request after some point. */
const createRefusalTracker = () => {
  let [count, firstMs] = [0, Number.POSITIVE_INFINITY];
  let lastAnsweredMs = Number.NEGATIVE_INFINITY;
  return {
    record: ({ kind, outcome, status }: LoadSample, sentMs: number): void => {
      if (outcome === "refused" && kind !== "conversation") {
        count += 1;
        firstMs = Math.min(firstMs, sentMs);
      } else if (status !== undefined || outcome === "ok") {
        lastAnsweredMs = Math.max(lastAnsweredMs, sentMs);
      }
    },
    result: (): RefusedSince | undefined =>
      Number.isFinite(lastAnsweredMs) && lastAnsweredMs < firstMs && count >= minRefusals
        ? { count, firstMs }
        : undefined,
  };
};

interface TallyDraft {
  readonly outcomes: Record<string, Counts>;
  readonly warmup: Record<string, Counts>;
  readonly sides: Record<LoadSide, Counts>;
  readonly violations: Counts;
  readonly latencies: Map<string, CensoredValue[]>;
  readonly targetFailuresByKind: Counts;
  minLagMs: number;
  notFromApi?: InterceptedResponses;
}

const collectMeasured = (draft: TallyDraft, sample: LoadSample, endMs: number): void => {
  addCount((draft.outcomes[sample.kind] ??= {}), sample.outcome, 1);
  if (isNotCausedByGenerator(sample)) {
    addCount(draft.targetFailuresByKind, sample.kind, 1);
  }
  if (isArrival(sample)) {
    addCount(draft.sides[sample.side], sample.outcome, 1);
  }
  draft.minLagMs = Math.min(draft.minLagMs, sample.sendMs - sample.planMs);
  forEachLatency(sample, endMs, (latency) => {
    const key = createLatencyKey(latency.metric, sample.side);
    const values = draft.latencies.get(key);
    if (values === undefined) {
      draft.latencies.set(key, [latency]);
    } else {
      values.push(latency);
    }
  });
};

const findFirstPlannedMs = ({ epochMs, samples }: ProcessSamples, runEpochMs: number): number => {
  let firstPlannedMs = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    firstPlannedMs = isArrival(sample)
      ? Math.min(firstPlannedMs, epochMs - runEpochMs + sample.planMs)
      : firstPlannedMs;
  }
  return firstPlannedMs;
};

const sortLatencies = (latencies: TallyDraft["latencies"]): LoadLatencies =>
  new Map([...latencies].map(([key, values]) => [key, splitCensored(values)]));

const buildHistograms = (latencies: LoadLatencies): readonly LoadHistogram[] =>
  loadMetricNames.flatMap((metric) =>
    loadSides.flatMap((side) => {
      const values = latencies.get(createLatencyKey(metric, side));
      return values === undefined
        ? []
        : [createHistogram({ metric, side, phase: "measure" }, values.observed, values.censored)];
    }),
  );

const listSideOutcomes = (sides: TallyDraft["sides"]): readonly SideOutcomes[] =>
  loadSides.map((side) => ({ side, outcomes: sides[side] })).filter(({ outcomes }) => Object.keys(outcomes).length > 0);

/** Computes the tally. Converts the samples of several processes to one clock. */
export const tallySamples = (plan: LoadPlan, processes: readonly ProcessSamples[]): LoadTally => {
  const runEpochMs = processes.reduce(
    (minEpochMs, { epochMs }) => Math.min(minEpochMs, epochMs),
    Number.POSITIVE_INFINITY,
  );
  const startMs = processes.reduce(
    (minStartMs, process) => Math.min(minStartMs, findFirstPlannedMs(process, runEpochMs)),
    Number.POSITIVE_INFINITY,
  );
  const draft: TallyDraft = {
    outcomes: {},
    warmup: {},
    sides: { base: {}, head: {} },
    violations: {},
    latencies: new Map(),
    targetFailuresByKind: {},
    minLagMs: Number.POSITIVE_INFINITY,
  };
  const counter = createIntervalCounter(plan);
  const refusals = createRefusalTracker();
  const endMs = processes.reduce(
    (lastEndMs, process) => Math.max(lastEndMs, process.epochMs - runEpochMs + findLastEndMs(process.samples)),
    0,
  );
  for (const { epochMs, samples } of processes) {
    for (const sample of samples) {
      const phase = getEffectivePhase(sample, plan);
      addViolations(draft.violations, sample);
      if (phase === "measure") {
        collectMeasured(draft, sample, endMs - (epochMs - runEpochMs));
      } else {
        addCount((draft.warmup[sample.kind] ??= {}), sample.outcome, 1);
      }
      const atMs = epochMs - runEpochMs + sample.planMs - startMs;
      refusals.record(sample, epochMs - runEpochMs + sample.sendMs - startMs);
      if (isNotFromApi(sample)) {
        draft.notFromApi = addInterceptedResponse(draft.notFromApi, sample, atMs);
      }
      if (isArrival(sample)) {
        counter.add(sample, { atMs, endMs: endMs - (epochMs - runEpochMs), phase });
      }
    }
  }
  const latencies = sortLatencies(draft.latencies);
  const histograms = buildHistograms(latencies);
  return {
    outcomes: draft.outcomes,
    warmup: draft.warmup,
    sides: listSideOutcomes(draft.sides),
    violations: draft.violations,
    histograms,
    latencies,
    metrics: buildMetrics(histograms, latencies),
    intervals: counter.intervals(),
    targetFailuresByKind: draft.targetFailuresByKind,
    ...defined({ refusedSince: refusals.result(), notFromApi: draft.notFromApi }),
    ...(Number.isFinite(draft.minLagMs) ? { minLagMs: draft.minLagMs } : {}),
  };
};
