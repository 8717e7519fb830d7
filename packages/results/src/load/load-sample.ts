import type { LoadSide } from "@assay/contract";

/**
 * Outcomes of a stream, call or conversation. `ok`: as expected. `violation`: it violates the contract. `refused`: 401 or 403.
 * `distress`: 429 or 503. `bad-status`: an unexpected status. `timeout`: the deadline of this request. `transport`: no connection, or the
 * connection broke. `limit`: a limit of Assay was reached. `held-back`: not sent, the target was in distress. `not-begun`: not sent, all
 * virtual users were busy. `over-budget`: not sent, the budget of questions was used up. `canceled`: the run ended first. `unfinished`: a
 * conversation that had not ended at its deadline.
 */
export const loadOutcomes = [
  "ok",
  "violation",
  "refused",
  "distress",
  "bad-status",
  "timeout",
  "transport",
  "limit",
  "held-back",
  "not-begun",
  "over-budget",
  "canceled",
  "unfinished",
] as const;
export type LoadOutcome = (typeof loadOutcomes)[number];

/** First line of `samples.ndjson`. */
export interface SamplesHeader {
  readonly assay: "samples";
  /** In version 1 a sample has an `arm`, `a` or `b`, instead of a side. */
  readonly version: 1 | 2;
  /** Wall clock at the zero of the file, in milliseconds since 1970. */
  readonly epochMs: number;
  readonly k6Version: string;
}

/** Members of all samples. Times are fractional milliseconds on a monotonic clock since the zero of the file. */
interface SampleBase {
  /** Name of the flow, `search` or `conversation`. */
  readonly flow: string;
  readonly phase: "warmup" | "measure";
  readonly side: LoadSide;
  /** Index of the block and of its pair, from 0, including warm-up pairs. Absent outside paired comparisons. */
  readonly block?: number;
  readonly pair?: number;
  /** Name of the query. */
  readonly query: string;
  /** Planned time of sending, from which latencies are measured. */
  readonly planMs: number;
  /** Actual time of sending. Equal to `planMs` if nothing was sent. */
  readonly sendMs: number;
  readonly endMs: number;
  readonly outcome: LoadOutcome;
  readonly status?: number;
  /** Codes of violations with their counts. Absent if there are none. */
  readonly codes?: Readonly<Record<string, number>>;
}

export const streamEnds = ["done", "eof", "timeout", "transport", "limit", "canceled"] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** One search. */
export interface StreamSample extends SampleBase {
  readonly kind: "stream";
  /** How a stream with the outcome `violation` ended. Absent for other outcomes, and in files of earlier versions. */
  readonly ended?: StreamEnd;
  /** Times of arrival. Each is absent if it did not occur. */
  readonly headersMs?: number;
  readonly firstEventMs?: number;
  /** Arrival of the blank line that ends the first non-empty `matches` event. */
  readonly firstMatchMs?: number;
  readonly events: number;
  readonly matches: number;
  readonly bytes: number;
}

/** One call of the conversation API. */
export interface CallSample extends SampleBase {
  readonly kind: "call";
  readonly operation: "create" | "poll" | "delete";
}

/** One conversation from creation to its end. `endMs` is the time its end was observed. */
export interface ConversationSample extends SampleBase {
  readonly kind: "conversation";
  /** The terminal state. Absent if none was observed. */
  readonly state?: string;
  /** When the last poll that found it in progress was sent. It ended after that. Absent if there was no such poll. */
  readonly lastOpenMs?: number;
  readonly polls: number;
}

export type LoadSample = StreamSample | CallSample | ConversationSample;
