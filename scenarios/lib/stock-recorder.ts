import { loadOutcomes } from "@assay/results";
import type { CallSample, ConversationSample, LoadArm, StreamSample } from "@assay/results";
import exec from "k6/execution";
import { Counter, Trend } from "k6/metrics";
import type { Recorder } from "./recorder.ts";
import { stateCodes } from "./state-watch.ts";

const conversationViolations = new Counter("conversation_violations");
const conversationTerminal = new Trend("conversation_terminal", true);
const callTimes = {
  create: new Trend("conversation_create", true),
  poll: new Trend("conversation_poll", true),
  delete: new Trend("conversation_delete", true),
};

function countCall({ operation, planMs, endMs, outcome, codes = {} }: CallSample): void {
  if (outcome === "ok") {
    callTimes[operation].add(endMs - planMs);
  }
  for (const [code, times] of Object.entries(codes)) {
    conversationViolations.add(times, { code });
  }
}

/** Feeds metrics about conversations by the names that the extension gives them. Their tags are those of the virtual user. */
function countSample(sample: StreamSample | CallSample | ConversationSample): void {
  if (sample.kind === "call") {
    countCall(sample);
  } else if (sample.kind === "conversation" && sample.outcome === "ok") {
    conversationTerminal.add(sample.endMs - sample.planMs);
  }
}

type Sample = StreamSample | CallSample | ConversationSample;

/** Such as `outcome_stream_held_back`; k6 allows no hyphens. */
const metricName = (...parts: readonly string[]): string => parts.join("_").replaceAll("-", "_");

const kinds = ["stream", "call", "conversation"] as const;

/** The names that results use of all outcomes that can be counted, and the counters behind them. */
const outcomes = new Map(
  kinds.flatMap((kind) =>
    loadOutcomes.map((outcome) => [`${kind} ${outcome}`, metricName("outcome", kind, outcome)] as const),
  ),
);
const violations = new Map(stateCodes.map((code) => [code as string, metricName("violation", code)] as const));
const counters = new Map([...outcomes, ...violations].map(([name, metric]) => [name, new Counter(metric)] as const));

/** What stock k6 counted, by the names that results use. */
export const stockCounters = { outcomes, violations } as const;

const firstWaitMs = 1000;
const longestWaitMs = 30_000;
const longestAskedMs = 60_000;

/** How this virtual user waits for a target in distress; the others find out by themselves. */
interface BackOff {
  waitMs: number;
  untilMs: number;
}

const backOffs: Readonly<Record<LoadArm, BackOff>> = { a: { waitMs: 0, untilMs: 0 }, b: { waitMs: 0, untilMs: 0 } };

const nowMs = (): number => exec.instance.currentTestRunDuration;

function count(sample: Sample): void {
  if (sample.phase === "measure") {
    counters.get(`${sample.kind} ${sample.outcome}`)?.add(1);
  }
  for (const [code, times] of Object.entries(sample.codes ?? {})) {
    counters.get(code)?.add(times);
  }
  countSample(sample);
}

/**
 * A recorder for a k6 without the extension: it feeds k6's metrics and keeps nothing else. There are no samples, no histograms
 * and no ledger, so what an interrupted run leaves behind has to be found by the mark in its questions. The clock is the wall clock.
 */
export const stockRecorder = (budget: number): Recorder => ({
  nowMs,
  scenarioStartMs: () => exec.scenario.startTime - (Date.now() - nowMs()),
  missed: () => 0,
  takeMissed: () => ({ startMs: 0, afterMs: [] }),
  record: count,
  callsBegin: () => undefined,
  callsEnd: () => undefined,
  holdBackMs: (arm) => Math.max(0, backOffs[arm].untilMs - nowMs()),
  distress(arm, retryAfterMs) {
    const backOff = backOffs[arm];
    backOff.waitMs = Math.min(longestWaitMs, Math.max(firstWaitMs, backOff.waitMs * 2));
    backOff.untilMs = nowMs() + (retryAfterMs < 0 ? backOff.waitMs : Math.min(longestAskedMs, retryAfterMs));
  },
  succeeded(arm) {
    backOffs[arm].waitMs = 0;
  },
  failed: () => undefined,
  takeQuestion: (number) => number < budget,
  ledger: {
    intend: () => "",
    made: () => undefined,
    nothing: () => undefined,
    deleted: () => undefined,
  },
});
