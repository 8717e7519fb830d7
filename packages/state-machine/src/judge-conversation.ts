import { completionsOf } from "./completions.ts";
import type { ConversationRow } from "./conversation-row.ts";
import { findingOf } from "./finding-draft.ts";
import type { FindingDraft } from "./finding-draft.ts";
import type { Completion, HistoryCode, HistoryFinding } from "./history-report.ts";
import { judgeAsked } from "./judge-asked.ts";
import { judgeList } from "./judge-list.ts";
import { judgeQuestion } from "./judge-question.ts";
import { judgeStates } from "./judge-states.ts";
import { judgeSpread, judgeVersions, reportStale } from "./judge-times.ts";
import { keptRows } from "./kept-rows.ts";
import { questionWords } from "./report-draft.ts";
import type { Judging, StaleRead } from "./report-draft.ts";
import { settledSubjects } from "./settle-uncounted.ts";
import type { StateTable } from "./state-table.ts";
import { epochsOf } from "./write-log.ts";

/** Where the judgement of each conversation goes to. */
export interface Judgement {
  readonly table: StateTable;
  readonly strictEnds: boolean;
  readonly finding: (finding: HistoryFinding) => void;
  readonly count: (code: HistoryCode, times: number) => void;
  readonly looks: (gate: string, times: number) => void;
  readonly completion: (completion: Completion) => void;
  readonly staleMicros: (micros: number) => void;
}

/** Judges all that is kept of one conversation, and changes none of it. */
export function judgeConversation(judgement: Judgement, row: ConversationRow): void {
  const reads: StaleRead[] = [];
  const judging = judgingOf(judgement, row, reads);
  const list = judgeList(judging);
  for (const [epoch, subject] of judging.subjects) {
    const question = judgement.table.machine.reopens && epoch > 0 ? { question: epoch - 1 } : {};
    judgeStates(judging, { subject, ...question });
  }
  for (const question of keptRows(row.questions)) {
    judgeQuestion(judging, question, list);
  }
  if (list.keepsPlaces) {
    judgeAsked(judging);
  }
  judgeSpread(judging, row.created, { of: "the conversation" });
  judgeVersions(judging, row.versions, {});
  reportOldest(judgement, judging, reads);
  for (const completion of completionsOf(judging)) {
    judgement.completion(completion);
  }
}

function judgingOf(
  { table, strictEnds, finding, count, looks }: Judgement,
  row: ConversationRow,
  reads: StaleRead[],
): Judging {
  const epochs = epochsOf(row.writes);
  const staleExchanges = new Set<string>();
  return {
    table,
    row,
    epochs,
    subjects: settledSubjects(row, epochs),
    strictEnds,
    report: (draft) => {
      if (!mayBeDeleted(row, draft)) {
        finding(findingOf(row.conversation, draft));
      }
    },
    stale: (read) => {
      staleExchanges.add(read.second.exchange);
      reads.push(read);
    },
    staleExchanges,
    looks,
    backExchanges: new Set(),
    count: (code, times) => count(code, Math.max(0, times)),
  };
}

/** What a conversation shows once it may have been deleted is left open. */
const mayBeDeleted = (
  { writes }: ConversationRow,
  { first, second }: Pick<FindingDraft, "first" | "second">,
): boolean =>
  writes.deletedMicros !== undefined && Math.max(first.endedAtMicros, second.endedAtMicros) >= writes.deletedMicros;

/** Of reads that are equally old, one that shows a state says more than one that shows only a time. */
const oldestFirst = (a: StaleRead, b: StaleRead): number =>
  b.staleMicros - a.staleMicros ||
  Number(a.isTime ?? false) - Number(b.isTime ?? false) ||
  (a.question ?? -1) - (b.question ?? -1);

function reportOldest({ staleMicros }: Judgement, judging: Judging, reads: readonly StaleRead[]): void {
  const [oldest] = reads.filter((read) => !mayBeDeleted(judging.row, read)).sort(oldestFirst);
  if (oldest !== undefined) {
    const { question, of = question === undefined ? undefined : questionWords(question) } = oldest;
    staleMicros(oldest.staleMicros);
    reportStale(judging, { ...oldest, ...(of === undefined || judging.table.machine.reopens ? {} : { of }) });
  }
}
