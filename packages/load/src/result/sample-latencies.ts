import type { LoadMetricName, LoadOutcome, LoadSample } from "@assay/results";
import type { CensoredValue } from "../statistics/censored.ts";

/** A metric of a sample, in whole microseconds after its planned sending. A censored value is a lower bound. */
export interface SampleLatency extends CensoredValue {
  readonly metric: LoadMetricName;
}

export type LatencySink = (latency: SampleLatency) => void;

/** Arrivals that could not begin: the target asked for fewer, or occupied all virtual users. */
const notAdmittedOutcomes: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["held-back", "not-begun"]);

const neverSentOutcomes: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([...notAdmittedOutcomes, "over-budget"]);

/** Reports whether an arrival could not begin, because of the target or of a plan limit. */
export const isNeverSent = (outcome: LoadOutcome): boolean => neverSentOutcomes.has(outcome);

/** Reports whether an arrival could not begin because of the target or because no virtual user was free. */
export const isNotAdmitted = (outcome: LoadOutcome): boolean => notAdmittedOutcomes.has(outcome);

/**
 * Reports whether an outcome is not a response of the target: the request was not sent, or the end of the run or a limit
 * of Assay stopped it.
 */
export const isNeutral = (outcome: LoadOutcome): boolean =>
  neverSentOutcomes.has(outcome) || outcome === "canceled" || outcome === "limit";

/** Kinds of arrivals. Calls are parts of conversations. */
export const arrivalKinds = ["stream", "conversation"] as const satisfies readonly LoadSample["kind"][];

export const isArrival = ({ kind }: LoadSample): boolean => kind !== "call";

/** Outcomes that cut a measurement off. */
const cutOffOutcomes: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([
  "timeout",
  "transport",
  "limit",
  "canceled",
  "unfinished",
]);

/** Reports whether times with this outcome are censored. */
export const isCensoredOutcome = (outcome: LoadOutcome): boolean =>
  cutOffOutcomes.has(outcome) || notAdmittedOutcomes.has(outcome);

/**
 * Returns the outcome that decides which times of a sample count. A stream with a violation counts by its end, and the
 * violation is counted separately. A stream without `done` has only the times observed before its end.
 */
export const outcomeForTimes = (sample: LoadSample): LoadOutcome => {
  if (sample.outcome !== "violation" || sample.kind !== "stream" || sample.ended === undefined) {
    return sample.outcome;
  }
  switch (sample.ended) {
    case "done":
      return "ok";
    case "eof":
      return "violation";
    case "timeout":
    case "transport":
    case "limit":
    case "canceled":
      return sample.ended;
  }
};

interface SamplePoint {
  readonly metric: LoadMetricName;
  /** Undefined if it was not observed. */
  readonly atMs: number | undefined;
}

/** Lists the times of a sample. `endMs` is undefined if the sample was cut off. */
const listPoints = (sample: LoadSample, endMs: number | undefined): readonly SamplePoint[] => {
  switch (sample.kind) {
    case "stream":
      return [
        { metric: "headers", atMs: sample.headersMs },
        { metric: "first-event", atMs: sample.firstEventMs },
        { metric: "first-match", atMs: sample.firstMatchMs },
        { metric: "stream", atMs: endMs },
      ];
    case "call":
      return [{ metric: sample.operation, atMs: endMs }];
    case "conversation":
      return [
        // A conversation that no poll saw in progress ended some time after its creation was sent.
        { metric: "terminal-lower", atMs: endMs === undefined ? undefined : (sample.lastOpenMs ?? sample.sendMs) },
        { metric: "terminal-upper", atMs: endMs },
      ];
  }
};

const computeMicrosSincePlanned = ({ planMs }: LoadSample, atMs: number): number =>
  Math.max(0, Math.round((atMs - planMs) * 1000));

/** The end of a sample, or the time until which it was observed. A stream that violated the contract has neither. */
interface ObservedEnd {
  readonly endMs?: number;
  readonly untilMs?: number;
}

const emitPoints = (sample: LoadSample, { endMs, untilMs }: ObservedEnd, sink: LatencySink): void => {
  for (const { metric, atMs } of listPoints(sample, endMs)) {
    if (atMs !== undefined) {
      sink({ metric, value: computeMicrosSincePlanned(sample, atMs), isCensored: false });
    } else if (untilMs !== undefined) {
      sink({ metric, value: computeMicrosSincePlanned(sample, untilMs), isCensored: true });
    }
  }
};

/** Reports whether sending late is the generator's fault: arrivals are planned, while polls wait for earlier calls. */
const isPlanned = (sample: LoadSample): boolean =>
  sample.kind === "stream" || (sample.kind === "call" && sample.operation === "create");

/**
 * Calls `sink` with all latencies of a sample, measured from its planned send time. `endMs` is the end of the run, on
 * the sample's clock.
 *
 * - A success has its times. A point that did not occur, such as the first match of a stream without matches, has none.
 * - A cut-off sample (timeout, broken connection, end of the run) has the times observed so far. The others are censored
 *   at its end.
 * - An arrival that could not begin because of the target is censored at `endMs`.
 * - A stream with a violation has its observed times.
 * - Any other failure has only its start lag. It counts towards the share of failures.
 */
export const forEachLatency = (sample: LoadSample, endMs: number, sink: LatencySink): void => {
  const outcome = outcomeForTimes(sample);
  if (isPlanned(sample) && !neverSentOutcomes.has(outcome)) {
    sink({ metric: "start-lag", value: computeMicrosSincePlanned(sample, sample.sendMs), isCensored: false });
  }
  if (outcome === "ok") {
    emitPoints(sample, { endMs: sample.endMs }, sink);
  } else if (cutOffOutcomes.has(outcome)) {
    emitPoints(sample, { untilMs: sample.endMs }, sink);
  } else if (notAdmittedOutcomes.has(outcome)) {
    emitPoints(sample, { untilMs: endMs }, sink);
  } else if (outcome === "violation") {
    // Calls and conversations have only an end time.
    emitPoints(sample, {}, sink);
  }
};

/** Returns the latest end of the samples, or 0 if there are none. Arrivals that could not begin are censored at this time. */
export const findLastEndMs = (samples: Iterable<LoadSample>): number => {
  let end = 0;
  for (const { endMs } of samples) {
    end = Math.max(end, endMs);
  }
  return end;
};
