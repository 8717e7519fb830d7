import type { LoadMetricName, LoadOutcome, LoadSample } from "@assay/results";
import type { CensoredValue } from "../statistics/censored.ts";

/** A metric of a sample, in whole microseconds from its planned sending. Where it is censored, it is later than that. */
export interface SampleLatency extends CensoredValue {
  readonly metric: LoadMetricName;
}

/** Receives one latency. */
export type LatencySink = (latency: SampleLatency) => void;

/** Arrivals that could not begin: the target asked for fewer, or held all virtual users. */
const notAdmitted: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["held-back", "not-begun"]);

/** What was never sent. */
const neverSent: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([...notAdmitted, "over-budget"]);

/** Whether an arrival could not begin: because of the target, or of a limit of the plan. */
export const isNeverSent = (outcome: LoadOutcome): boolean => neverSent.has(outcome);

/** Whether an arrival was left out because of the target, or for want of a virtual user. */
export const isNotAdmitted = (outcome: LoadOutcome): boolean => notAdmitted.has(outcome);

/** Outcomes that are no answer of the target: not sent, stopped by the end of the run, or by a limit of the harness. */
export const isNeutral = (outcome: LoadOutcome): boolean =>
  neverSent.has(outcome) || outcome === "canceled" || outcome === "limit";

/** Kinds of samples that arrive by themselves; calls are parts of conversations. */
export const arrivalKinds = ["stream", "conversation"] as const satisfies readonly LoadSample["kind"][];

/** Whether a sample is one of those that arrive by themselves. */
export const isArrival = ({ kind }: LoadSample): boolean => kind !== "call";

/** Outcomes that ended the watch before all that was waited for had come. */
const cutOff: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([
  "timeout",
  "transport",
  "limit",
  "canceled",
  "unfinished",
]);

/** Whether what has this outcome is later than it was watched. */
export const isLaterThanSeen = (outcome: LoadOutcome): boolean => cutOff.has(outcome) || notAdmitted.has(outcome);

/**
 * What the times of a sample are worth, by its outcome. A stream whose form was violated is what its end makes of it: what came of
 * it came when it did, and the violation is counted by itself. One that broke off without `done` has what came; that more would
 * have come later is not known.
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

const ofCalls: ReadonlySet<string> = new Set<LoadMetricName>(["create", "poll", "delete", "start-lag"]);

/** Whether a metric is of streams or conversations, not of calls or of the generator. */
export const isOfArrivals = (metric: string): boolean => !ofCalls.has(metric);

interface Point {
  readonly metric: LoadMetricName;
  /** When it came; undefined where it did not. */
  readonly atMs: number | undefined;
}

/** What a sample times. Its end is none where it was cut off. */
const pointsOf = (sample: LoadSample, endMs: number | undefined): readonly Point[] => {
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
        // A conversation that no poll saw at work ended some time after it was asked for.
        { metric: "terminal-lower", atMs: endMs === undefined ? undefined : (sample.lastOpenMs ?? sample.sendMs) },
        { metric: "terminal-upper", atMs: endMs },
      ];
  }
};

const since = ({ planMs }: LoadSample, atMs: number): number => Math.max(0, Math.round((atMs - planMs) * 1000));

/** What counts of a sample besides what came: when it ended, and how long the rest was watched. Neither where it broke off. */
interface Watched {
  readonly endMs?: number;
  readonly untilMs?: number;
}

const offerPoints = (sample: LoadSample, { endMs, untilMs }: Watched, sink: LatencySink): void => {
  for (const { metric, atMs } of pointsOf(sample, endMs)) {
    if (atMs !== undefined) {
      sink({ metric, value: since(sample, atMs), isCensored: false });
    } else if (untilMs !== undefined) {
      sink({ metric, value: since(sample, untilMs), isCensored: true });
    }
  }
};

/** Whether the lateness of a sample's sending is the generator's: what arrives is planned, and polls wait for what went before. */
const isPlanned = (sample: LoadSample): boolean =>
  sample.kind === "stream" || (sample.kind === "call" && sample.operation === "create");

/**
 * Offers all latencies of a sample, from its planned sending. `endMs` is when the run ended, on the clock of its samples.
 *
 * What went well has its times; a point that never came, such as the first match of a stream without any, has none. What was cut
 * off (by its deadline, a broken connection, the end of the run) has the times that came; the others are later than it was
 * watched. What could not begin because of the target is later than from its plan to `endMs`. A stream whose form was violated has what
 * came of it as well. Whatever else was answered with a failure has none but its start lag: it is judged by its share.
 */
export const offerLatencies = (sample: LoadSample, endMs: number, sink: LatencySink): void => {
  const outcome = outcomeForTimes(sample);
  if (isPlanned(sample) && !neverSent.has(outcome)) {
    sink({ metric: "start-lag", value: since(sample, sample.sendMs), isCensored: false });
  }
  if (outcome === "ok") {
    offerPoints(sample, { endMs: sample.endMs }, sink);
  } else if (cutOff.has(outcome)) {
    offerPoints(sample, { untilMs: sample.endMs }, sink);
  } else if (notAdmitted.has(outcome)) {
    offerPoints(sample, { untilMs: endMs }, sink);
  } else if (outcome === "violation") {
    // Calls and conversations are timed by their ends alone.
    offerPoints(sample, {}, sink);
  }
};

/** When the last of some samples ended: the end of the watch for what could not begin. 0 without any. */
export const endOfSamples = (samples: Iterable<LoadSample>): number => {
  let end = 0;
  for (const { endMs } of samples) {
    end = Math.max(end, endMs);
  }
  return end;
};
