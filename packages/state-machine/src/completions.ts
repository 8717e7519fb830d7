import type { Completion } from "./history-report.ts";
import { noPosition } from "./question-row.ts";
import type { Judging } from "./report-draft.ts";
import { keptRows } from "./kept-rows.ts";
import type { Subject } from "./subject.ts";

interface Finished {
  readonly subject: Subject;
  /** Index of the question that was answered, if it is known. */
  readonly question: number | undefined;
}

/**
 * When each subject was finished, as a bracket: a read that was sent later than the lower end, or a write that asked the
 * question, came before it, and the first answer that showed it finished came after it.
 */
export function completionsOf(judging: Judging): readonly Completion[] {
  return [...finishable(judging)].flatMap((finished) => completionOf(judging, finished) ?? []);
}

function* finishable({ table, row, subjects }: Judging): Generator<Finished> {
  for (const [epoch, subject] of subjects) {
    yield { subject, question: epoch > 0 ? epoch - 1 : table.machine.reopens ? undefined : 0 };
  }
  // Where the conversation has the state, that of a question says nothing more about its end.
  const questions = table.machine.subject === "question" ? keptRows(row.questions) : [];
  for (const { subject, position } of questions) {
    if (subject !== undefined) {
      yield { subject, question: position === noPosition ? undefined : position };
    }
  }
}

function completionOf(judging: Judging, { subject, question }: Finished): Completion | undefined {
  const { row, table } = judging;
  const { untilMicros, lastSentMicros, state } = extremesOf(judging, subject);
  const askedMicros = question === undefined ? undefined : askedAt(judging, question);
  const afterMicros = Math.min(untilMicros, Math.max(lastSentMicros, askedMicros ?? lastSentMicros));
  return Number.isFinite(untilMicros) && Number.isFinite(afterMicros)
    ? {
        conversation: row.conversation,
        ...(question === undefined ? {} : { question }),
        state: table.nameOf(state),
        afterMicros,
        untilMicros,
      }
    : undefined;
}

interface Extremes {
  readonly untilMicros: number;
  /** Sending of the last read that showed no end. */
  readonly lastSentMicros: number;
  /** The end that was shown first. */
  readonly state: number;
}

function extremesOf({ table }: Judging, { states }: Subject): Extremes {
  let untilMicros = Number.POSITIVE_INFINITY;
  let lastSentMicros = Number.NEGATIVE_INFINITY;
  let state = -1;
  for (const [number, bounds] of states.entries()) {
    if (bounds !== undefined && !table.isTerminal(number)) {
      lastSentMicros = Math.max(lastSentMicros, bounds.maxSent.sentAtMicros);
    } else if (bounds !== undefined && bounds.minEnd.endedAtMicros < untilMicros) {
      untilMicros = bounds.minEnd.endedAtMicros;
      state = number;
    }
  }
  return { untilMicros, lastSentMicros, state };
}

/** When a question was sent, if it is known which write asked it. */
function askedAt({ row, epochs }: Judging, question: number): number | undefined {
  const write = question === 0 ? row.writes.create : epochs.sequence?.[question - 1];
  return write?.witness.sentAtMicros;
}
