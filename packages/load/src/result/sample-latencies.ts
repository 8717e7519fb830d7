import type { LoadMetricName, LoadOutcome, LoadSample } from "@assay/results";

/** Receives one latency in whole microseconds. */
export type LatencySink = (metric: LoadMetricName, micros: number) => void;

const unsent: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["held-back", "over-budget", "canceled"]);

/** Outcomes that say nothing about the target: not sent, stopped by the end of the run, or by a limit of the harness. */
export const isNeutral = (outcome: LoadOutcome): boolean => unsent.has(outcome) || outcome === "limit";

/** Kinds of samples that arrive by themselves; calls are parts of conversations. */
export const arrivalKinds = ["stream", "conversation"] as const satisfies readonly LoadSample["kind"][];

/** Whether a sample is one of those that arrive by themselves. */
export const isArrival = ({ kind }: LoadSample): boolean => kind !== "call";

const since = ({ planMs }: LoadSample, atMs: number): number => Math.max(0, Math.round((atMs - planMs) * 1000));

const offerStream = (sample: Extract<LoadSample, { kind: "stream" }>, sink: LatencySink): void => {
  const { headersMs, firstEventMs, firstMatchMs, endMs } = sample;
  if (headersMs !== undefined) {
    sink("headers", since(sample, headersMs));
  }
  if (firstEventMs !== undefined) {
    sink("first-event", since(sample, firstEventMs));
  }
  if (firstMatchMs !== undefined) {
    sink("first-match", since(sample, firstMatchMs));
  }
  sink("stream", since(sample, endMs));
};

const offerOk = (sample: LoadSample, sink: LatencySink): void => {
  if (sample.kind === "stream") {
    offerStream(sample, sink);
  } else if (sample.kind === "call") {
    sink(sample.operation, since(sample, sample.endMs));
  } else {
    // A conversation that no poll saw at work ended some time after it was asked for.
    sink("terminal-lower", since(sample, sample.lastOpenMs ?? sample.sendMs));
    sink("terminal-upper", since(sample, sample.endMs));
  }
};

const neverSent: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["held-back", "over-budget"]);

/** Whether the lateness of a sample's sending is the generator's: what arrives is planned, and polls wait for what went before. */
const isPlanned = (sample: LoadSample): boolean =>
  sample.kind === "stream" || (sample.kind === "call" && sample.operation === "create");

/** Offers all latencies of a sample, from its planned sending. One that did not go well has none but its start lag. */
export const offerLatencies = (sample: LoadSample, sink: LatencySink): void => {
  if (isPlanned(sample) && !neverSent.has(sample.outcome)) {
    sink("start-lag", since(sample, sample.sendMs));
  }
  if (sample.outcome === "ok") {
    offerOk(sample, sink);
  }
};
