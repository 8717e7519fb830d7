import type { UnspecifiedId } from "@assay/contract";
import type { ConversationRow } from "./conversation-row.ts";
import type { FindingDraft } from "./finding-draft.ts";
import type { HistoryCode } from "./history-report.ts";
import type { Witness } from "./witness.ts";
import type { StateTable } from "./state-table.ts";
import type { Subject } from "./subject.ts";
import type { Epochs } from "./write-log.ts";

/** A read that showed something old, and how old it was at least. */
export interface StaleRead {
  readonly first: Witness;
  readonly second: Witness;
  readonly staleMicros: number;
  readonly of?: string;
  readonly question?: number;
  readonly promise?: "session" | "real-time";
  /** What it shows is only a time of update. */
  readonly isTime?: boolean;
}

/** What judging a conversation needs, and where what it finds goes to. */
export interface Judging {
  readonly table: StateTable;
  readonly row: ConversationRow;
  readonly epochs: Epochs;
  /** Subjects with the reads that did not tell their epoch put where they belong. */
  readonly subjects: ReadonlyMap<number, Subject>;
  /** Whether ends that exclude each other violate even if a cancellation may lie between them. */
  readonly strictEnds: boolean;
  readonly report: (draft: FindingDraft) => void;
  /** Stale reads are put together: one finding of each conversation. */
  readonly stale: (read: StaleRead) => void;
  /** Exchanges whose reads were found to show something old. */
  readonly staleExchanges: Set<string>;
  /** Exchanges whose reads were found to show that the server itself went back. */
  readonly backExchanges: Set<string>;
  readonly count: (code: HistoryCode, times: number) => void;
}

/** Row of the behaviour register about cancelling what is finished. */
export const cancelGap = ({ table }: Judging): UnspecifiedId =>
  table.machine.interface === "legacy" ? "legacy/cancel-of-finished" : "current/cancel-of-finished";

/** `question 2`, counted from one as people do. */
export const questionWords = (question: number): string => `question ${question + 1}`;
