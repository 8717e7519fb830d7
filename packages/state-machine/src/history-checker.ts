import type { ConversationMachine } from "@assay/contract";
import { addTime } from "./constancy.ts";
import { newConversationRow, addLength, subjectOf } from "./conversation-row.ts";
import type { ConversationRow } from "./conversation-row.ts";
import { historyCodes } from "./history-report.ts";
import type { HistoryCode, HistoryFinding, HistoryReport } from "./history-report.ts";
import { createInstantReader } from "./instant.ts";
import { judgeConversation } from "./judge-conversation.ts";
import type { Read, Snapshot, Write } from "./observation.ts";
import { recordQuestions } from "./record-questions.ts";
import type { AnswerContext, CheckerContext } from "./record-questions.ts";
import { stateTable } from "./state-table.ts";
import type { StateTable } from "./state-table.ts";
import { addState } from "./subject.ts";
import { boundedKey, createRecentTexts, excerpt, textDigest } from "./text-digest.ts";
import { addVersion } from "./version-bounds.ts";
import { createSessions, endsEarlier, normaliseInterval } from "./witness.ts";
import type { Witness } from "./witness.ts";
import type { WriteLog, LoggedWrite } from "./write-log.ts";

/** Records everything an answer shows. Linear in the number of questions; reads at most 1024 of them. */
function recordSnapshot(checker: CheckerContext, answer: AnswerContext): void {
  const { row, witness, snapshot, state, isPartial } = answer;
  addVersion(row.versions, witness, state);
  const { createdAt } = snapshot;
  row.created = addTime(row.created, witness, { text: createdAt, instant: checker.instants(createdAt) });
  if (snapshot.questions !== undefined && !isPartial) {
    addLength(row.list, snapshot.questions.length, witness);
  }
  recordConversationState(checker, answer);
  recordQuestions(checker, answer);
}

/** A conversation has at least one question, so an answer without questions does not show its epoch. */
function recordConversationState(
  { table }: CheckerContext,
  { row, witness, snapshot, state, isPartial }: AnswerContext,
): void {
  if (state === undefined) {
    return;
  }
  const count = isPartial ? 0 : (snapshot.questions?.length ?? 0);
  if (!table.machine.reopens) {
    addState(subjectOf(row.subjects, 0), state, witness);
  } else if (count > 0) {
    addState(subjectOf(row.subjects, count), state, witness);
  } else {
    row.uncounted.push({ state, witness });
  }
}

/** Keeps the earliest findings of each code and counts the rest. The result does not depend on the order of adding. */
interface FindingCollector {
  add(finding: HistoryFinding): void;
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

function createFindingCollector(maxFindingsPerCode: number): FindingCollector {
  const kept = new Map<HistoryCode, HistoryFinding[]>();
  const counts = new Map<HistoryCode, number>();
  const trimmed = (findings: HistoryFinding[]): HistoryFinding[] => findings.sort(byTime).slice(0, maxFindingsPerCode);
  return {
    add(finding) {
      const { code } = finding;
      const findings = kept.get(code) ?? [];
      findings.push(finding);
      counts.set(code, (counts.get(code) ?? 0) + 1);
      // Sorting only at twice the limit keeps the work at O(n log n).
      kept.set(code, findings.length > 2 * maxFindingsPerCode + 64 ? trimmed(findings) : findings);
    },
    findings: () => [...kept.values()].flatMap(trimmed).sort(byTime),
    dropped: () =>
      Object.fromEntries(
        Array.from(counts, ([code, count]) => [code, Math.max(0, count - maxFindingsPerCode)] as const).filter(
          ([, count]) => count > 0,
        ),
      ),
  };
}

/** Everything a report is made of. */
interface ReportInput {
  readonly table: StateTable;
  readonly rows: Iterable<ConversationRow>;
  readonly maxFindingsPerCode: number;
  readonly strictEnds: boolean;
}

const noObservations = (): Record<HistoryCode, number> => ({
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

/** Judges every conversation. Takes time in the number of conversations, not of observations. */
function reportOf({ table, rows, maxFindingsPerCode, strictEnds }: ReportInput): HistoryReport {
  const collector = createFindingCollector(maxFindingsPerCode);
  const observations = noObservations();
  let staleMicros = 0;
  const judgement = {
    table,
    strictEnds,
    finding: (finding: HistoryFinding) => collector.add(finding),
    count: (code: HistoryCode, times: number) => {
      observations[code] += times;
    },
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
    observations,
    staleMicros,
  };
}

export interface HistoryCheckerOptions {
  /** Maximum number of findings reported per code [100]. The rest is counted. */
  readonly maxFindingsPerCode?: number;
  /** Report incomparable ends even if a cancellation may lie between them [true]. */
  readonly strictEnds?: boolean;
}

/** Accepts observations in any order. `finish` may be called at any time and repeatedly: it changes nothing. */
export interface HistoryChecker {
  observe(observation: Read | Write): void;
  finish(): HistoryReport;
}

/**
 * Checks the answers of polls against a state machine.
 *
 * **Order.** An observation is an interval: the server read the conversation at some instant between the sending of the
 * request and the end of the answer. One observation precedes another only if it ended before the other was sent.
 * Overlapping observations have no order, and overlapping polls overtake each other all the time. (A rule that compares each
 * answer with the one received before it fails correct servers in a third of runs with four pollers.) A write without an
 * answer may take effect at any time after it was sent.
 *
 * **Pairs are enough.** Let the observed states be comparable, each leading to the next. An explanation needs an instant for
 * each state at which the server enters it: after the sending of every read that shows an earlier state, and not after the
 * end of any read that shows this state or a later one. So only two extremes matter for each state: the latest sending of a
 * read below it, and the earliest end of a read at or above it. If the first is not after the second for any state, choose
 * the instants just after the first, in order; this works because both grow from state to state. If it is after, these two
 * reads form a pair whose earlier read shows the later state, and no instant fits both. Two states of which neither leads to
 * the other can never both be shown, in any order. Therefore two reads of each state are kept, the first to end and the last
 * to be sent, and every finding has two witnesses. They are minima and maxima, so the order of observing makes no
 * difference, an observation takes constant time, and a conversation takes bounded memory.
 *
 * **Epochs.** A follow-up returns a finished conversation to the initial state. The number of questions in an answer
 * identifies its epoch, no matter who asked them, and (questions, state) is again one chain. An answer without that number
 * is compared with another only if no follow-up may lie between the two. Such reads are kept until the end.
 *
 * **Staleness.** If reads may show a version that is up to D old, their sending moves to the left by D. So the smallest D
 * that explains everything is the largest amount by which a latest sending exceeds an earliest end. A regression is a stale
 * read if its update time says that it may be an older version. Otherwise it is a backward transition. It is also a backward
 * transition if one session saw both states and the last two reads still show the older one.
 *
 * **More observations** never remove a finding, with these exceptions:
 * - A regression changes between `stale-read`, `backward-transition`, `updated-at-fell` and `question-lost` as more is
 *   known.
 * - A change of a list changes between `question-lost`, `question-reordered` and `question-id-changed`.
 * - A follow-up, or a list that shows a follow-up of another client, explains reads that do not show their epoch.
 * - A deletion or a cancellation explains what may follow it.
 * - Better witnesses replace others, and so do the earliest findings of each code, which are the ones reported.
 *
 * No response of a target makes the checker fail. Meaningless times widen an interval, and long ids are kept as digests. Per
 * conversation it keeps at most 1024 positions, about 2048 ids and 64 ranges of update times.
 */
export function createHistoryChecker(
  machine: ConversationMachine,
  options: HistoryCheckerOptions = {},
): HistoryChecker {
  const { maxFindingsPerCode = 100, strictEnds = true } = options;
  const rows = new Map<string, ConversationRow>();
  const checker: CheckerContext = {
    table: stateTable(machine),
    instants: createInstantReader(),
    digestOf: createRecentTexts(),
    sessions: createSessions(),
  };
  const rowFor = ({ conversation }: Read | Write): ConversationRow => {
    const key = boundedKey(conversation);
    let row = rows.get(key);
    if (row === undefined) {
      row = newConversationRow(key);
      rows.set(key, row);
    }
    return row;
  };
  return {
    observe(observation) {
      if (observation.kind === "read") {
        recordRead(checker, rowFor(observation), observation);
      } else if (observation.outcome !== "refused") {
        recordWrite(checker, rowFor(observation), observation);
      }
    },
    finish: () => reportOf({ ...checker, rows: rows.values(), maxFindingsPerCode, strictEnds }),
  };
}

/** The observation without its snapshot. */
function witnessOf(
  { instants, sessions }: CheckerContext,
  observation: Read | Write,
  snapshot: Snapshot | undefined,
): Witness {
  const hasEnd = observation.kind === "read" || observation.outcome === "accepted";
  const [sentAtMicros, endedAtMicros] = normaliseInterval(
    observation.sentAtMicros,
    hasEnd ? observation.endedAtMicros : Number.POSITIVE_INFINITY,
  );
  const updated = instants(snapshot?.updatedAt);
  return {
    kind: observation.kind === "read" ? "read" : observation.write,
    exchange: boundedKey(observation.exchange),
    session: sessions(observation.session),
    sentAtMicros,
    endedAtMicros,
    value: "",
    updatedMicros: updated.micros,
    updatedUnitMicros: updated.unitMicros,
  };
}

const conversationState = ({ table }: CheckerContext, { state }: Snapshot): number | undefined =>
  table.machine.subject === "conversation" ? table.numberOf(state) : undefined;

function recordRead(checker: CheckerContext, row: ConversationRow, read: Read): void {
  const { snapshot } = read;
  const witness = witnessOf(checker, read, snapshot);
  const state = conversationState(checker, snapshot);
  recordSnapshot(checker, { row, witness, snapshot, state, isPartial: false, asked: undefined });
}

function recordWrite(checker: CheckerContext, row: ConversationRow, write: Write): void {
  const { text, snapshot, outcome } = write;
  const isAccepted = outcome === "accepted" && write.endedAtMicros !== undefined;
  const witness = witnessOf(checker, write, snapshot);
  const asked = text === undefined ? undefined : { digest: textDigest(text), words: excerpt(text) };
  logWrite(row.writes, { witness, isAccepted, asked });
  if (snapshot !== undefined && isAccepted) {
    const { questions } = snapshot;
    const isPartial = questions !== undefined && questions.length <= (write.write === "follow-up" ? 1 : 0);
    recordSnapshot(checker, { row, witness, snapshot, state: conversationState(checker, snapshot), isPartial, asked });
  }
}

/** Keeps the writes that explain later reads. If a conversation was created twice, the first creation counts. */
function logWrite(writes: WriteLog, note: LoggedWrite): void {
  switch (note.witness.kind) {
    case "create":
      writes.create =
        writes.create === undefined || endsEarlier(note.witness, writes.create.witness) ? note : writes.create;
      break;
    case "follow-up":
      writes.followUps.push(note);
      break;
    case "cancel":
      writes.cancels.push(note);
      break;
    case "delete":
      writes.deletedMicros = Math.min(writes.deletedMicros ?? Number.POSITIVE_INFINITY, note.witness.sentAtMicros);
      break;
    case "read":
      break;
  }
}
