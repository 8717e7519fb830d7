import type { ConversationMachine } from "@assay/contract";
import { newConversationRow, subjectOf } from "./conversation-row.ts";
import type { ConversationRow } from "./conversation-row.ts";
import { boundedKey, excerpt } from "./excerpt.ts";
import { historyCodes } from "./history-report.ts";
import type { HistoryCode, HistoryFinding, HistoryReport } from "./history-report.ts";
import { createInstantReader } from "./instant.ts";
import type { Read, Snapshot, Write } from "./observation.ts";
import { createRecentTexts } from "./recent-texts.ts";
import { createSessions } from "./session.ts";
import type { AnswerContext, Watch } from "./record-questions.ts";
import { endsEarlier, widened } from "./witness.ts";
import type { Witness } from "./witness.ts";
import { stateTable } from "./state-table.ts";
import type { StateTable } from "./state-table.ts";
import { textDigest } from "./text-digest.ts";
import type { WriteLog, WriteNote } from "./write-log.ts";
import { judgeConversation } from "./judge-conversation.ts";
import { seeLength } from "./question-list.ts";
import { recordQuestions } from "./record-questions.ts";
import { seeState } from "./subject.ts";
import { spread } from "./time-spread.ts";
import { seeVersion } from "./version-bounds.ts";

/** Takes in all that an answer shows. Linear in the number of questions, of which at most 1024 are looked at. */
function recordSnapshot(watch: Watch, shown: AnswerContext): void {
  const { row, witness, snapshot, state, isPartial } = shown;
  seeVersion(row.versions, witness, state);
  const { createdAt } = snapshot;
  row.created = spread(row.created, witness, { text: createdAt, instant: watch.instants(createdAt) });
  if (snapshot.questions !== undefined && !isPartial) {
    seeLength(row.list, snapshot.questions.length, witness);
  }
  seeConversationState(watch, shown);
  recordQuestions(watch, shown);
}

/** A conversation has at least one question, so an answer that shows none does not tell the epoch. */
function seeConversationState({ table }: Watch, { row, witness, snapshot, state, isPartial }: AnswerContext): void {
  if (state === undefined) {
    return;
  }
  const count = isPartial ? 0 : (snapshot.questions?.length ?? 0);
  if (!table.machine.reopens) {
    seeState(subjectOf(row.subjects, 0), state, witness);
  } else if (count > 0) {
    seeState(subjectOf(row.subjects, count), state, witness);
  } else {
    row.uncounted.push({ state, witness });
  }
}

/** Keeps the earliest findings of each code and counts the rest. Which ones it keeps does not depend on their order. */
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
      // Sorting only when there are twice too many keeps the work linear but for a logarithm.
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

/** All that a report is made of. */
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

/** Judges every conversation. Takes time in the number of conversations, however many observations there were. */
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
  /** Findings reported of each code [100]; the rest is counted. */
  readonly maxFindingsPerCode?: number;
  /** Ends that exclude each other violate even where a cancellation may have come between [true]. */
  readonly strictEnds?: boolean;
}

/** Takes observations in any order. `finish` may be called at any time and again: it changes nothing. */
export interface HistoryChecker {
  observe(observation: Read | Write): void;
  finish(): HistoryReport;
}

/**
 * Judges what polls showed of conversations against a machine.
 *
 * **Order.** An observation is an interval: the server looked at the conversation at some instant between sending and the end
 * of the answer. One came before another only if it ended before the other was sent; what overlaps has no order, and polls
 * that overlap overtake each other all the time. (To hold each answer against the one received before it accuses a faultless
 * server in a third of runs with four pollers.) A write without an answer may happen at any time after it was sent.
 *
 * **Pairs are enough.** Let the states shown be comparable, each leading to the next. They can be explained if the instant at
 * which the server passes to each state can be chosen after the sending of every read that shows an earlier state, and not
 * after the end of any read that shows this one or a later. So only two extremes matter for each state: the latest sending of
 * what is below it, and the earliest end of what is not. Where the first is not after the second for any state, the instants
 * can be chosen just behind the first, in order, for both only grow from state to state. Where it is after, these two reads are
 * a pair of which the earlier one shows the later state, and no instant fits both. States neither of which leads to the other
 * cannot both be shown at all, whatever the order. Therefore two reads of each state are kept, the first to end and the last
 * to be sent, and every finding has two witnesses. They are minima and maxima, so the order of observing makes no difference,
 * an observation takes constant time, and a conversation a bounded memory.
 *
 * **Epochs.** A follow-up takes a finished conversation back to the beginning. The number of questions that an answer shows
 * tells its epoch, whoever asked them, and (questions, state) is again one chain. An answer that does not tell it is held
 * against another only if no follow-up may lie between the two; such reads are kept until the end.
 *
 * **Staleness.** If reads may show the version of up to D earlier, their sending moves to the left by D. So the smallest D
 * that explains everything is the largest amount by which a latest sending exceeds an earliest end. A step back is a stale
 * read if its time of update says that it may be an older version, or else a backward transition: that is also what it is
 * where both were seen by one session and the last two reads still show the older state.
 *
 * **More observations** never take a finding away, with these exceptions. What went back changes its name between
 * `stale-read`, `backward-transition` and `updated-at-fell`, or `question-lost`, and what became of a list between
 * `question-lost`, `question-reordered` and `question-id-changed`, when it is better known. A follow-up, or a list that shows
 * one made by others, explains reads that do not tell their epoch; a deletion or a cancellation explains what may follow it.
 * Witnesses change as better ones come, and so do the first findings of each code, which are those that are reported.
 *
 * Nothing that a target sends makes it fail: times that make no sense widen an interval, long ids are kept as digests, and of
 * a conversation at most 1024 positions, about 2048 ids and 64 ranges of times of update are kept.
 */
export function createHistoryChecker(
  machine: ConversationMachine,
  options: HistoryCheckerOptions = {},
): HistoryChecker {
  const { maxFindingsPerCode = 100, strictEnds = true } = options;
  const rows = new Map<string, ConversationRow>();
  const watch: Watch = {
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
        seeRead(watch, rowFor(observation), observation);
      } else if (observation.outcome !== "refused") {
        seeWrite(watch, rowFor(observation), observation);
      }
    },
    finish: () => reportOf({ ...watch, rows: rows.values(), maxFindingsPerCode, strictEnds }),
  };
}

/** The observation without what it showed. */
function witnessOf({ instants, sessions }: Watch, observation: Read | Write, snapshot: Snapshot | undefined): Witness {
  const hasEnd = observation.kind === "read" || observation.outcome === "accepted";
  const [sentAtMicros, endedAtMicros] = widened(
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

const conversationState = ({ table }: Watch, { state }: Snapshot): number | undefined =>
  table.machine.subject === "conversation" ? table.numberOf(state) : undefined;

function seeRead(watch: Watch, row: ConversationRow, read: Read): void {
  const { snapshot } = read;
  const witness = witnessOf(watch, read, snapshot);
  const state = conversationState(watch, snapshot);
  recordSnapshot(watch, { row, witness, snapshot, state, isPartial: false, asked: undefined });
}

function seeWrite(watch: Watch, row: ConversationRow, write: Write): void {
  const { text, snapshot, outcome } = write;
  const isAccepted = outcome === "accepted" && write.endedAtMicros !== undefined;
  const witness = witnessOf(watch, write, snapshot);
  const asked = text === undefined ? undefined : { digest: textDigest(text), words: excerpt(text) };
  noteWrite(row.writes, { witness, isAccepted, asked });
  if (snapshot !== undefined && isAccepted) {
    const { questions } = snapshot;
    const isPartial = questions !== undefined && questions.length <= (write.write === "follow-up" ? 1 : 0);
    recordSnapshot(watch, { row, witness, snapshot, state: conversationState(watch, snapshot), isPartial, asked });
  }
}

/** Keeps what follow-ups, cancellations and deletions explain. Of two creations of one conversation the first counts. */
function noteWrite(writes: WriteLog, note: WriteNote): void {
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
