import type { UnspecifiedId } from "@assay/contract";

/** What can be found in a history. `tolerated-transition` is an observation, all others are departures. */
export const historyCodes = [
  "backward-transition",
  "unlisted-transition",
  "incomparable-ends",
  "terminal-content-changed",
  "question-lost",
  "question-reordered",
  "question-duplicated",
  "question-id-changed",
  "question-text-changed",
  "created-at-changed",
  "updated-at-fell",
  "stale-read",
  "field-gate",
  "tolerated-transition",
] as const;
export type HistoryCode = (typeof historyCodes)[number];

/** One of the two observations of a finding. Of unknown times the other one stands in; with neither they are 0. */
export interface FindingWitness {
  readonly exchange: string;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  /** What it showed, at most 80 characters, control characters replaced. */
  readonly value: string;
}

export interface HistoryFinding {
  readonly code: HistoryCode;
  /** Name of the gate of a `field-gate`. */
  readonly gate?: string;
  /** Row of the behaviour register of a `tolerated-transition`. */
  readonly behaviour?: UnspecifiedId;
  readonly conversation: string;
  /** Index from 0. Of a conversation that was reopened: the question whose answering the finding is about. */
  readonly question?: number;
  /** The observation that came first, where an order is known. Equal to `second` where one answer says it all. */
  readonly first: FindingWitness;
  readonly second: FindingWitness;
  /** One sentence with both values and their times. */
  readonly message: string;
  /** Of a `stale-read`: how old what it showed was at least. */
  readonly staleMicros?: number;
  /** Of what went back: whether one session saw both, or only two sessions together. */
  readonly promise?: "session" | "real-time";
}

export interface HistoryReport {
  /** In the order of the second observation; at most as many of each code as the options say. */
  readonly findings: readonly HistoryFinding[];
  /** How many findings of each code were left out. */
  readonly dropped: Readonly<Partial<Record<HistoryCode, number>>>;
  /** How often each code could have been found: observations compared with another, gates looked at. 0: not observed. */
  readonly observations: Readonly<Record<HistoryCode, number>>;
  /** The smallest staleness of reads that explains all of what is reported as stale; 0: none is needed. */
  readonly staleMicros: number;
}
