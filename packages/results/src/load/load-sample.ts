import type { LoadArm } from "./load-plan.ts";

/**
 * How one stream, call or conversation ended. `ok`: as it should. `violation`: the contract was broken. `refused`: 401 or 403.
 * `distress`: 429 or 503. `bad-status`: another status than the expected one. `timeout`: the deadline of this request.
 * `transport`: no connection, or it broke. `limit`: a limit of the harness was reached. `held-back`: not sent, because the target
 * was in distress. `not-begun`: not sent, because all virtual users were at work. `over-budget`: not sent, because no more questions may be asked. `canceled`: the run ended first.
 * `unfinished`: a conversation that had not ended at its deadline.
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
  readonly version: 1;
  /** Wall clock at the zero of all times in the file, milliseconds since 1970. */
  readonly epochMs: number;
  readonly k6Version: string;
}

/** What all samples have. Times are milliseconds on a monotonic clock since the zero of the file, with fractions. */
interface SampleBase {
  /** Name of the flow, `search` or `conversation`. */
  readonly flow: string;
  readonly phase: "warmup" | "measure";
  readonly arm: LoadArm;
  /** Index of the block and of its pair, from 0, warm-up pairs included; absent outside paired comparisons. */
  readonly block?: number;
  readonly pair?: number;
  /** Name of the query. */
  readonly query: string;
  /** When it was to be sent. Latency counts from here. */
  readonly planMs: number;
  /** When it was sent; equal to `planMs` where nothing was sent. */
  readonly sendMs: number;
  readonly endMs: number;
  readonly outcome: LoadOutcome;
  readonly status?: number;
  /** Codes of violations with their number; absent without any. */
  readonly codes?: Readonly<Record<string, number>>;
}

/** How a stream can end that was read. */
export const streamEnds = ["done", "eof", "timeout", "transport", "limit", "canceled"] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** One search. */
export interface StreamSample extends SampleBase {
  readonly kind: "stream";
  /** How it ended, of a stream whose outcome is `violation`: the outcome of others says it. Absent in files of earlier versions. */
  readonly ended?: StreamEnd;
  /** Absent where it did not come. */
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

/** One conversation from creation to its end; `endMs` is when its end was seen. */
export interface ConversationSample extends SampleBase {
  readonly kind: "conversation";
  /** The terminal state; absent where none was seen. */
  readonly state?: string;
  /** Sending of the last poll that still saw it at work: it ended after that. Absent where no poll did. */
  readonly lastOpenMs?: number;
  readonly polls: number;
}

export type LoadSample = StreamSample | CallSample | ConversationSample;
