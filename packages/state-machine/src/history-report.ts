import type { UnspecifiedId } from "@assay/contract";

/** Everything that can be found in a history. `tolerated-transition` is a permitted choice; all others are failures. */
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

/** One of the two observations of a finding. An unknown time is replaced by the other one; without both they are 0. */
export interface FindingWitness {
  readonly exchange: string;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  /** The observed value: at most 80 characters, control characters replaced. */
  readonly value: string;
}

export interface HistoryFinding {
  readonly code: HistoryCode;
  /** For a `field-gate`: the name of the gate. */
  readonly gate?: string;
  /** For a `tolerated-transition`: the row of the behaviour register. */
  readonly behaviour?: UnspecifiedId;
  readonly conversation: string;
  /** Index from 0. For a reopened conversation: the question that was being answered. */
  readonly question?: number;
  /** The earlier observation, if an order is known. Equal to `second` if one answer is enough. */
  readonly first: FindingWitness;
  readonly second: FindingWitness;
  /** One sentence with both values and their times. */
  readonly message: string;
  /** For a `stale-read`: the minimum age of the version. */
  readonly staleMicros?: number;
  /** For a regression: whether one session saw both values, or two sessions together. */
  readonly promise?: "session" | "real-time";
}

export interface HistoryReport {
  /** Ordered by the second observation. At most `maxFindingsPerCode` of each code. */
  readonly findings: readonly HistoryFinding[];
  /** Number of omitted findings of each code. */
  readonly dropped: Readonly<Partial<Record<HistoryCode, number>>>;
  /** How often each code could have been found: comparisons of observations, checks of gates. 0: not observed. */
  readonly observations: Readonly<Record<HistoryCode, number>>;
  /** The smallest staleness that explains everything reported as stale; 0 if nothing is. */
  readonly staleMicros: number;
}
