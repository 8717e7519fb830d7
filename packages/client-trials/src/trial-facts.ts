import { searchPath } from "@assay/contract";
import type { JournalCall, JournalEntry } from "@assay/reference-server";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

/** A conversation API call in a journal. */
export type CallEntry = JournalEntry & { readonly call: JournalCall };

/** A record, and the parts of it that most checks need. */
export interface TrialFacts {
  readonly trial: Trial;
  readonly record: TrialRecord;
  /** Searches in order of arrival. */
  readonly searches: readonly JournalEntry[];
  /** Calls through the trial's interface. */
  readonly calls: readonly CallEntry[];
  readonly creations: readonly CallEntry[];
  readonly reads: readonly CallEntry[];
  /** The first answer that showed the question finished. */
  readonly terminal: CallEntry | undefined;
  /** Exit status: 128 after a signal, undefined if the client was killed. */
  readonly status: number | undefined;
}

/** Reports whether a state is final. */
export const isTerminalState = (state: string | undefined): boolean =>
  state !== undefined && !["processing", "pending"].includes(state);

/** Reports whether a request is a search. */
export const isSearch = ({ method, url }: JournalEntry): boolean =>
  method === "GET" && url.split("?", 1)[0] === searchPath;

/** Returns the query parameters of a request. */
export const parseParameters = ({ url }: JournalEntry): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

const isCall = (entry: JournalEntry): entry is CallEntry => entry.call !== undefined;

/** Reports whether the request was refused temporarily. */
export const isTemporarilyRefused = ({ status }: JournalEntry): boolean => status === 429 || status === 503;

const signalStatus = 128;

const readStatus = ({ end }: TrialRecord): number | undefined => {
  switch (end.kind) {
    case "exited":
      return end.status;
    case "signalled":
      return signalStatus;
    case "killed":
      return undefined;
  }
};

/** Extracts the facts of a record. */
export const extractFacts = (trial: Trial, record: TrialRecord): TrialFacts => {
  const calls = record.requests.filter(isCall).filter(({ call }) => call.interface === trial.interface);
  const selectCalls = (...operations: readonly JournalCall["operation"][]): readonly CallEntry[] =>
    calls.filter(({ call }) => operations.includes(call.operation));
  return {
    trial,
    record,
    searches: record.requests.filter(isSearch),
    calls,
    creations: selectCalls("create", "follow-up"),
    reads: selectCalls("get", "get-question"),
    terminal: calls.find(({ call, status = 0 }) => status < 300 && isTerminalState(call.shown?.state)),
    status: readStatus(record),
  };
};

/** Formats a duration, such as `2.31 s` or `40 ms`. */
export const formatSpan = (micros: number): string =>
  micros < 1_000_000 ? `${Math.round(micros / 1000)} ms` : `${(micros / 1_000_000).toFixed(2)} s`;
