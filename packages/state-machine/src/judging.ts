import type { UnspecifiedId } from "@assay/contract";
import type { ConversationRow } from "./conversation-row.ts";
import type { HistoryCode, HistoryFinding } from "./history-report.ts";
import { instantText } from "./instant.ts";
import type { StateTable } from "./state-table.ts";
import type { Subject } from "./subject.ts";
import { isBefore, findingWitness } from "./witness.ts";
import type { Witness } from "./witness.ts";
import type { Epochs } from "./write-log.ts";

/** A finding before its message is written. */
export interface FindingDraft {
  readonly code: HistoryCode;
  readonly first: Witness;
  readonly second: Witness;
  /** Why the two observations contradict each other, as the end of a sentence. */
  readonly because: string;
  /** Owner of the values, with article or number; absent for the conversation. */
  readonly of?: string;
  readonly question?: number;
  readonly gate?: string;
  readonly behaviour?: UnspecifiedId;
  readonly staleMicros?: number;
  readonly promise?: "session" | "real-time";
}

/** Milliseconds with up to three decimals. */
export const formatMs = (micros: number): string => `${Number((micros / 1000).toFixed(3))} ms`;

const sentAt = ({ sentAtMicros }: Witness): string =>
  Number.isFinite(sentAtMicros) ? `sent ${formatMs(sentAtMicros)}` : "sent at an unknown time";

const endedAt = ({ endedAtMicros }: Witness): string =>
  Number.isFinite(endedAtMicros) ? `answered ${formatMs(endedAtMicros)}` : "answered at an unknown time";

const named = ({ kind, exchange }: Witness): string => `${kind} ${exchange}`;

const whole = (witness: Witness): string => `${named(witness)} (${sentAt(witness)}, ${endedAt(witness)})`;

/** Update time of the version that an observation showed. */
export const versionOf = ({ updatedMicros, updatedUnitMicros }: Witness): string =>
  instantText({ micros: updatedMicros, unitMicros: updatedUnitMicros });

/** Both observations with their values and times, and the reason. Times count from the start of the history. */
function sentence({ first, second, because, of }: FindingDraft): string {
  const shows = ({ value }: Witness): string => `shows ${of === undefined ? "" : `${of} `}${value}`;
  if (first === second) {
    return `${whole(first)} ${shows(first)}: ${because}`;
  }
  const later = isBefore(first, second) ? `${named(second)}, ${sentAt(second)},` : whole(second);
  return `${whole(first)} ${shows(first)}, ${later} ${shows(second)}: ${because}`;
}

/** Completes a finding with its message. */
export function findingOf(conversation: string, draft: FindingDraft): HistoryFinding {
  const { code, gate, behaviour, question, staleMicros, promise } = draft;
  return {
    code,
    ...(gate === undefined ? {} : { gate }),
    ...(behaviour === undefined ? {} : { behaviour }),
    conversation,
    ...(question === undefined ? {} : { question }),
    first: findingWitness(draft.first),
    second: findingWitness(draft.second),
    message: sentence(draft),
    ...(staleMicros === undefined ? {} : { staleMicros }),
    ...(promise === undefined ? {} : { promise }),
  };
}

/** A read of an older version, and its minimum age. */
export interface StaleRead {
  readonly first: Witness;
  readonly second: Witness;
  readonly staleMicros: number;
  readonly of?: string;
  readonly question?: number;
  readonly promise?: "session" | "real-time";
  /** It shows nothing but an update time. */
  readonly isTime?: boolean;
}

/** Input and output of judging one conversation. */
export interface Judging {
  readonly table: StateTable;
  readonly row: ConversationRow;
  readonly epochs: Epochs;
  /** Subjects, including the reads that do not show their epoch. */
  readonly subjects: ReadonlyMap<number, Subject>;
  /** Report incomparable ends even if a cancellation may lie between them. */
  readonly strictEnds: boolean;
  readonly report: (draft: FindingDraft) => void;
  /** Collects stale reads: one finding per conversation. */
  readonly stale: (read: StaleRead) => void;
  /** Exchanges whose reads are stale. */
  readonly staleExchanges: Set<string>;
  /** Exchanges whose reads show that the server itself went back. */
  readonly backExchanges: Set<string>;
  readonly count: (code: HistoryCode, times: number) => void;
}

/** Row of the behaviour register about cancelling a finished question. */
export const cancelBehaviour = ({ table }: Judging): UnspecifiedId =>
  table.machine.interface === "legacy" ? "legacy/cancel-of-finished" : "current/cancel-of-finished";

/** `question 2`, counted from one. */
export const questionWords = (question: number): string => `question ${question + 1}`;
