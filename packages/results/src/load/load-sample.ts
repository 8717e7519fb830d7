import type { LoadSide } from "@assay/contract";

/**
 * How one stream, call or conversation ended. `ok`: as it should. `violation`: it violates the contract. `refused`: 401 or 403.
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
  /** Wall clock at the zero of the file, milliseconds since 1970. */
  readonly epochMs: number;
  readonly k6Version: string;
}

/** Members of all samples. Times are fractional milliseconds on a monotonic clock since the zero of the file. */
interface SampleBase {
  /** Name of the flow, `search` or `conversation`. */
  readonly flow: string;
  readonly phase: "warmup" | "measure";
  readonly side: LoadSide;
  /** Index of the block and of its pair, from 0, warm-up pairs included; absent outside paired comparisons. */
  readonly block?: number;
  readonly pair?: number;
  /** Name of the query. */
  readonly query: string;
  /** Planned sending: latency starts here. */
  readonly planMs: number;
  /** Real sending; equal to `planMs` if nothing was sent. */
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
  /** How a stream with the outcome `violation` ended; for others the outcome is enough. Absent in files of earlier versions. */
  readonly ended?: StreamEnd;
  /** Absent if they did not arrive. */
  readonly headersMs?: number;
  readonly firstEventMs?: number;
  /** The blank line that ends the first `matches` event that is not empty. */
  readonly firstMatchMs?: number;
  readonly events: number;
  readonly matches: number;
  readonly bytes: number;
}

/** One call of the conversation API; `create`, `poll` or `delete`. */
export interface CallSample extends SampleBase {
  readonly kind: "call";
  readonly operation: "create" | "poll" | "delete";
}

/** One conversation from creation to its end; `endMs` is the time its end was seen. */
export interface ConversationSample extends SampleBase {
  readonly kind: "conversation";
  /** The terminal state; absent if none was seen. */
  readonly state?: string;
  /** Sending of the last poll that saw it in progress: it ended after that. Absent if there was none. */
  readonly lastOpenMs?: number;
  readonly polls: number;
}

export type LoadSample = StreamSample | CallSample | ConversationSample;
