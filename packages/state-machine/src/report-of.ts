import { createFindingCollector } from "./finding-collector.ts";
import type { ConversationRow } from "./conversation-row.ts";

import type { Completion, HistoryCode, HistoryFinding, HistoryReport } from "./history-report.ts";
import { judgeConversation } from "./judge-conversation.ts";
import type { StateTable } from "./state-table.ts";

/** All that a report is made of. */
export interface ReportInput {
  readonly table: StateTable;

  readonly rows: Iterable<ConversationRow>;
  readonly maxFindingsPerCode: number;
  readonly strictEnds: boolean;
}

const noOpportunities = (): Record<HistoryCode, number> => ({
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

const inTime = (a: Completion, b: Completion): number =>
  a.untilMicros - b.untilMicros ||
  a.afterMicros - b.afterMicros ||
  (a.conversation === b.conversation ? 0 : a.conversation < b.conversation ? -1 : 1) ||
  (a.question ?? -1) - (b.question ?? -1);

/** Judges every conversation. Takes time in the number of conversations, however many observations there were. */
export function reportOf({ table, rows, maxFindingsPerCode, strictEnds }: ReportInput): HistoryReport {
  const collector = createFindingCollector(maxFindingsPerCode);
  const opportunities = noOpportunities();
  const completions: Completion[] = [];
  const gates = new Map(table.machine.gates.map(({ name }) => [name, 0]));
  let staleMicros = 0;
  const judgement = {
    table,
    strictEnds,
    finding: (finding: HistoryFinding) => collector.add(finding),
    count: (code: HistoryCode, times: number) => {
      opportunities[code] += times;
    },
    looks: (gate: string, times: number) => {
      opportunities["field-gate"] += times;
      gates.set(gate, (gates.get(gate) ?? 0) + times);
    },
    completion: (completion: Completion) => completions.push(completion),
    staleMicros: (micros: number) => {
      staleMicros = Math.max(staleMicros, micros);
    },
  };
  for (const row of rows) {
    judgeConversation(judgement, row);
  }

  return {
    findings: collector.findings(),
    dropped: collector.dropped(),
    opportunities,
    gateOpportunities: Object.fromEntries(gates),
    staleMicros,
    completions: completions.sort(inTime),
  };
}
