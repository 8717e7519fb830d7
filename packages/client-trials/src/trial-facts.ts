import { searchPath } from "@assay/contract";
import type { JournalCall, JournalEntry } from "@assay/reference-server";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

/** A call of the conversation API in a journal. */
export type CallEntry = JournalEntry & { readonly call: JournalCall };

/** A record with what most checks ask of it. */
export interface TrialFacts {
  readonly trial: Trial;
  readonly record: TrialRecord;
  /** Searches in the order in which they arrived. */
  readonly searches: readonly JournalEntry[];
  /** Calls of the interface that the trial is about. */
  readonly calls: readonly CallEntry[];
  readonly creations: readonly CallEntry[];
  readonly reads: readonly CallEntry[];
  /** The first answer that showed the question at its end. */
  readonly terminal: CallEntry | undefined;
  /** Exit status; that of a client which a signal ended is 128, of one that had to be killed undefined. */
  readonly status: number | undefined;
}

/** States after which nobody works on a question any more. */
export const isTerminalState = (state: string | undefined): boolean =>
  state !== undefined && !["processing", "pending"].includes(state);

/** Whether a request is a search. */
export const isSearch = ({ method, url }: JournalEntry): boolean =>
  method === "GET" && url.split("?", 1)[0] === searchPath;

/** The parameters in the address of a request. */
export const parametersOf = ({ url }: JournalEntry): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

const isCall = (entry: JournalEntry): entry is CallEntry => entry.call !== undefined;

/** Whether an answer asked its client to come back later. */
export const isPutOff = ({ status }: JournalEntry): boolean => status === 429 || status === 503;

const signalStatus = 128;

const statusOf = ({ end }: TrialRecord): number | undefined => {
  switch (end.kind) {
    case "exited":
      return end.status;
    case "signalled":
      return signalStatus;
    case "killed":
      return undefined;
  }
};

/** Looks at a record of a trial. */
export const factsOf = (trial: Trial, record: TrialRecord): TrialFacts => {
  const calls = record.requests.filter(isCall).filter(({ call }) => call.interface === trial.interface);
  const of = (...operations: readonly JournalCall["operation"][]): readonly CallEntry[] =>
    calls.filter(({ call }) => operations.includes(call.operation));
  return {
    trial,
    record,
    searches: record.requests.filter(isSearch),
    calls,
    creations: of("create", "follow-up"),
    reads: of("get", "get-question"),
    terminal: calls.find(({ call, status = 0 }) => status < 300 && isTerminalState(call.shown?.state)),
    status: statusOf(record),
  };
};

/** A span of the clock of requests, such as `2.31 s` and `40 ms`. */
export const spanOf = (micros: number): string =>
  micros < 1_000_000 ? `${Math.round(micros / 1000)} ms` : `${(micros / 1_000_000).toFixed(2)} s`;

/** `1 poll`, `3 polls`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
