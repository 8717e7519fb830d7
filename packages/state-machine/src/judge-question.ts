import type { QuestionRow } from "./question-row.ts";
import { noPosition } from "./question-row.ts";
import { cancelGap, questionWords } from "./report-draft.ts";
import type { Judging } from "./report-draft.ts";
import type { ListJudgement } from "./judge-list.ts";
import { judgeStates } from "./judge-states.ts";
import { judgeSpread, judgeVersions } from "./judge-times.ts";
import type { WitnessedValue } from "./constancy.ts";
import { inOrder, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";
import { mayLieBetween } from "./write-log.ts";

const placeOf = ({ position }: QuestionRow): { question?: number; of: string } =>
  position === noPosition ? { of: "a question" } : { question: position, of: questionWords(position) };

/** Judges what is kept of one question. */
export function judgeQuestion(judging: Judging, row: QuestionRow, { keepsPlaces }: ListJudgement): void {
  const place = placeOf(row);
  judgeGates(judging, row);
  const isSame = row.isNamed || keepsPlaces;
  if (row.subject !== undefined && (isSame || judging.table.machine.subject === "question")) {
    judgeStates(judging, { subject: row.subject, ...place });
  }
  if (row.versions !== undefined) {
    judgeVersions(judging, row.versions, place);
  }
  // Where questions moved, the same position is no longer the same question, and the move has a finding of its own.
  if (isSame) {
    judgeSpread(judging, row.created, place);
    judgeText(judging, row);
    judgeContent(judging, row);
  }
}

function judgeGates({ table, report, looks }: Judging, row: QuestionRow): void {
  for (const [number, gate] of table.machine.gates.entries()) {
    const witness = row.broken[number];
    looks(gate.name, row.looks[number] ?? 0);
    if (witness !== undefined) {
      const because = `${gate.name} does not hold`;
      report({ code: "field-gate", gate: gate.name, first: witness, second: witness, because, ...placeOf(row) });
    }
  }
}

function judgeText({ report, count }: Judging, row: QuestionRow): void {
  const { text } = row;
  count("question-text-changed", (text?.reads ?? 0) - 1);
  if (text?.other !== undefined) {
    const [first, second] = inOrder(text.first.witness, text.other.witness);
    const because = "the text of a question stays as it was asked";
    report({ code: "question-text-changed", first, second, because, ...placeOf(row) });
  }
}

/** The state with what tells two contents apart. */
const inWords = ({ witness, key, detail }: WitnessedValue): Witness =>
  showing(witness, `${witness.value}, content ${key.toString(16)} of ${detail} characters`);

function judgeContent(judging: Judging, row: QuestionRow): void {
  const { content } = row;
  const { report, count } = judging;
  count("terminal-content-changed", (content?.reads ?? 0) - 1);
  if (content?.other === undefined) {
    return;
  }
  const [first, second] = inOrder(inWords(content.first), inWords(content.other));
  const pair = { first, second, ...placeOf(row) };
  if (mayLieBetween(judging.row.writes.cancels, first, second)) {
    const because = "a cancellation may have come between, and what it does to what is finished is left open";
    report({ code: "tolerated-transition", gap: cancelGap(judging), ...pair, because });
  } else {
    report({ code: "terminal-content-changed", ...pair, because: "what is finished stays as it is" });
  }
}
