import type { UnspecifiedId } from "@assay/contract";
import { formatInstant } from "./instant.ts";
import { isBefore } from "./timed-value.ts";
import type { TimedValue } from "./timed-value.ts";

/** The codes of all findings about a history. `tolerated-transition` is a permitted choice. All others are failures. */
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

/** One of the two observations of a finding. An unknown time is replaced by the other one. If both are unknown, they are 0. */
export interface FindingObservation {
  readonly exchange: string;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  /** The observed value, at most 80 characters. Control characters are replaced. */
  readonly value: string;
}

export interface HistoryFinding {
  readonly code: HistoryCode;
  /** For a `field-gate`: the name of the gate. */
  readonly gate?: string;
  /** For a `tolerated-transition`: the id of the unspecified behaviour. */
  readonly behaviour?: UnspecifiedId;
  readonly conversation: string;
  /** Index from 0. For a reopened conversation: the question that was being answered. */
  readonly question?: number;
  /** The earlier observation, if the order is known. Equal to `second` if a single response is sufficient. */
  readonly first: FindingObservation;
  readonly second: FindingObservation;
  /** One sentence with both values and their times. */
  readonly message: string;
  /** For a `stale-read`: the minimum age of the version. */
  readonly staleMicros?: number;
  /** For a regression: whether one session saw both values, or two sessions together. */
  readonly promise?: "session" | "real-time";
}

export interface HistoryReport {
  /** Sorted by the second observation. At most `maxFindingsPerCode` of each code. */
  readonly findings: readonly HistoryFinding[];
  /** Number of omitted findings of each code. */
  readonly dropped: Readonly<Partial<Record<HistoryCode, number>>>;
  /** The number of times each code could have been found: comparisons of observations, checks of gates. 0 means not tested. */
  readonly observations: Readonly<Record<HistoryCode, number>>;
  /** The smallest staleness that explains all stale reads, or 0 if there are none. */
  readonly staleMicros: number;
}

/** A finding before its message is written. */
export interface FindingDraft {
  readonly code: HistoryCode;
  readonly first: TimedValue;
  readonly second: TimedValue;
  /** The reason why the two observations contradict each other, as the end of a sentence. */
  readonly reason: string;
  /** Owner of the values, with article or number. Absent for the conversation. */
  readonly owner?: string;
  readonly question?: number;
  readonly gate?: string;
  readonly behaviour?: UnspecifiedId;
  readonly staleMicros?: number;
  readonly promise?: "session" | "real-time";
}

/** Formats milliseconds with up to three decimals. */
export const formatMs = (micros: number): string => `${Number((micros / 1000).toFixed(3))} ms`;

const describeSending = ({ sentAtMicros }: TimedValue): string =>
  Number.isFinite(sentAtMicros) ? `sent ${formatMs(sentAtMicros)}` : "sent at an unknown time";

const describeEnd = ({ endedAtMicros }: TimedValue): string =>
  Number.isFinite(endedAtMicros) ? `answered ${formatMs(endedAtMicros)}` : "answered at an unknown time";

const nameObservation = ({ kind, exchange }: TimedValue): string => `${kind} ${exchange}`;

const describeObservation = (observation: TimedValue): string =>
  `${nameObservation(observation)} (${describeSending(observation)}, ${describeEnd(observation)})`;

/** Formats the update time of the version that an observation showed. */
export const formatVersion = ({ updated }: TimedValue): string => formatInstant(updated);

const firstFinite = (...times: readonly number[]): number => times.find((time) => Number.isFinite(time)) ?? 0;

/** Returns the part of an observation that a finding contains. */
export const toFindingObservation = ({
  exchange,
  sentAtMicros,
  endedAtMicros,
  value,
}: TimedValue): FindingObservation => ({
  exchange,
  sentAtMicros: firstFinite(sentAtMicros, endedAtMicros),
  endedAtMicros: firstFinite(endedAtMicros, sentAtMicros),
  value,
});

/**
 * Returns the message of a finding: both observations with their values and times, and the reason. Times are relative to the start of the
 * history.
 */
function buildMessage({ first, second, reason, owner }: FindingDraft): string {
  const shows = ({ value }: TimedValue): string => `shows ${owner === undefined ? "" : `${owner} `}${value}`;
  if (first === second) {
    return `${describeObservation(first)} ${shows(first)}: ${reason}`;
  }
  const secondText = isBefore(first, second)
    ? `${nameObservation(second)}, ${describeSending(second)},`
    : describeObservation(second);
  return `${describeObservation(first)} ${shows(first)}, ${secondText} ${shows(second)}: ${reason}`;
}

/** Completes a finding with its message. */
export function toFinding(conversation: string, draft: FindingDraft): HistoryFinding {
  const { code, gate, behaviour, question, staleMicros, promise } = draft;
  return {
    code,
    ...(gate === undefined ? {} : { gate }),
    ...(behaviour === undefined ? {} : { behaviour }),
    conversation,
    ...(question === undefined ? {} : { question }),
    first: toFindingObservation(draft.first),
    second: toFindingObservation(draft.second),
    message: buildMessage(draft),
    ...(staleMicros === undefined ? {} : { staleMicros }),
    ...(promise === undefined ? {} : { promise }),
  };
}

/** Returns a name such as `question 2`, starting at 1. */
export const questionName = (question: number): string => `question ${question + 1}`;

/** Collects the earliest findings of each code and counts the rest. The result does not depend on the order of adding. */
interface FindingCollector {
  add(finding: HistoryFinding): void;
  /** Counts findings that were dropped before. */
  drop(code: HistoryCode, count: number): void;
  readonly findings: () => readonly HistoryFinding[];
  readonly dropped: () => Readonly<Partial<Record<HistoryCode, number>>>;
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const byTime = (a: HistoryFinding, b: HistoryFinding): number =>
  a.second.sentAtMicros - b.second.sentAtMicros ||
  a.first.endedAtMicros - b.first.endedAtMicros ||
  byText(a.conversation, b.conversation) ||
  (a.question ?? -1) - (b.question ?? -1) ||
  historyCodes.indexOf(a.code) - historyCodes.indexOf(b.code) ||
  byText(a.message, b.message);

export function createFindingCollector(maxFindingsPerCode: number): FindingCollector {
  const findingsByCode = new Map<HistoryCode, HistoryFinding[]>();
  const counts = new Map<HistoryCode, number>();
  const trimFindings = (findings: HistoryFinding[]): HistoryFinding[] =>
    findings.sort(byTime).slice(0, maxFindingsPerCode);
  return {
    add(finding) {
      const { code } = finding;
      const findings = findingsByCode.get(code) ?? [];
      findings.push(finding);
      counts.set(code, (counts.get(code) ?? 0) + 1);
      // Sorting only at twice the limit keeps the work at O(n log n).
      findingsByCode.set(code, findings.length > 2 * maxFindingsPerCode + 64 ? trimFindings(findings) : findings);
    },
    drop: (code, count) => void counts.set(code, (counts.get(code) ?? 0) + count),
    findings: () => [...findingsByCode.values()].flatMap(trimFindings).sort(byTime),
    dropped: () =>
      Object.fromEntries(
        Array.from(counts, ([code, count]) => [code, Math.max(0, count - maxFindingsPerCode)] as const).filter(
          ([, count]) => count > 0,
        ),
      ),
  };
}

export const newObservationCounts = (): Record<HistoryCode, number> => ({
  "backward-transition": 0,
  "unlisted-transition": 0,
  "incomparable-ends": 0,
  "terminal-content-changed": 0,
  "question-lost": 0,
  "question-reordered": 0,
  "question-duplicated": 0,
  "question-id-changed": 0,
  "question-text-changed": 0,
  "created-at-changed": 0,
  "updated-at-fell": 0,
  "stale-read": 0,
  "field-gate": 0,
  "tolerated-transition": 0,
});

/** Merges the reports of different conversations of one machine. The result does not depend on their order. */
export function mergeHistoryReports(reports: readonly HistoryReport[], maxFindingsPerCode: number): HistoryReport {
  const collector = createFindingCollector(maxFindingsPerCode);
  const observations = newObservationCounts();
  let staleMicros = 0;
  for (const report of reports) {
    report.findings.forEach((finding) => collector.add(finding));
    for (const code of historyCodes) {
      observations[code] += report.observations[code];
      collector.drop(code, report.dropped[code] ?? 0);
    }
    staleMicros = Math.max(staleMicros, report.staleMicros);
  }
  return { findings: collector.findings(), dropped: collector.dropped(), observations, staleMicros };
}
