import { subjectOf } from "./conversation-row.ts";
import { seeLength } from "./question-list.ts";
import { recordQuestions } from "./record-questions.ts";
import type { AnswerContext, Watch } from "./record-questions.ts";
import { seeState } from "./subject.ts";
import { spread } from "./time-spread.ts";
import { seeVersion } from "./version-bounds.ts";

/** Takes in all that an answer shows. Linear in the number of questions, of which at most 1024 are looked at. */
export function recordSnapshot(watch: Watch, shown: AnswerContext): void {
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
