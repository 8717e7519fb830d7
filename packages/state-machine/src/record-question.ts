import { watchGates } from "./gate-watch.ts";
import type { Instant } from "./instant.ts";
import type { Member } from "./member.ts";
import type { QuestionSnapshot } from "./observation.ts";
import { seeContent, seePosition, seeStatus, seeText, textMember } from "./question-row.ts";
import type { QuestionRow } from "./question-row.ts";
import type { Showing, Watch } from "./record-snapshot.ts";
import { withVersion } from "./witness.ts";
import type { Witness } from "./witness.ts";
import { spread } from "./time-spread.ts";

interface QuestionShown {
  readonly row: QuestionRow;
  readonly question: QuestionSnapshot;
  /** Infinite where the answer does not tell. */
  readonly position: number;
  readonly isLast: boolean;
  /** Its text, if questions are told apart by it. */
  readonly member: Member | undefined;
}

/** Takes in what an answer shows of one question. */
export function recordQuestion(watch: Watch, shown: Showing, seen: QuestionShown): void {
  const { row, question, position, isLast } = seen;
  seePosition(row, position);
  if (watch.table.machine.subject === "question") {
    seeOwnState(watch, shown.witness, seen);
  } else {
    const state = watch.table.numberOf(question.status);
    seeStatus(row, shown.witness, { state, hasVersion: false });
    seeRest(watch, shown.witness, seen);
    seeInState(watch, shown.witness, { row, question, state: shown.state, isLast });
  }
}

/** A question with a state of its own. */
function seeOwnState(watch: Watch, base: Witness, seen: QuestionShown): void {
  const { row, question } = seen;
  const state = watch.table.numberOf(question.status);
  const updated = watch.instants(question.updatedAt);
  const witness = ofVersion(base, updated);
  seeStatus(row, witness, { state, hasVersion: !Number.isNaN(updated.micros) });
  seeRest(watch, witness, seen);
  seeInState(watch, witness, { row, question, state, isLast: true });
}

function seeRest({ instants }: Watch, witness: Witness, { row, question, member }: QuestionShown): void {
  const { text, createdAt } = question;
  row.created = spread(row.created, witness, { text: createdAt, instant: instants(createdAt) });
  if (typeof text === "string") {
    seeText(row, witness, member ?? textMember(row, text));
  }
}

interface InState {
  readonly row: QuestionRow;
  readonly question: QuestionSnapshot;
  readonly state: number | undefined;
  /** Where the conversation has the state, it is that of the question asked last. */
  readonly isLast: boolean;
}

function seeInState({ table, digestOf }: Watch, witness: Witness, { row, question, state, isLast }: InState): void {
  if (state === undefined) {
    return;
  }
  const { content, facts } = question;
  if (typeof content === "string" && table.isTerminal(state)) {
    seeContent(row, witness, {
      digest: digestOf(row, content),
      length: content.length,
      state: table.nameOf(state),
    });
  }
  if (isLast) {
    watchGates(row, witness, { table, state, facts });
  }
}

/** The observation with the time of update of this question, if it has its own; most often that is the same one. */
function ofVersion(base: Witness, { micros, unitMicros }: Instant): Witness {
  return Number.isNaN(micros) || (micros === base.updatedMicros && unitMicros === base.updatedUnitMicros)
    ? base
    : withVersion(base, { micros, unitMicros });
}
