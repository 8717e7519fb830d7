import type { Constancy } from "./constancy.ts";
import { keptRows } from "./kept-rows.ts";
import { questionWords } from "./report-draft.ts";
import type { Judging } from "./report-draft.ts";
import { showing } from "./witness.ts";
import type { WriteNote } from "./write-log.ts";

/**
 * Judges whether questions have the text they were asked with. The creation asked the first one. Follow-ups asked the others
 * if all of them were accepted, each was answered before the next was sent, and no list has more questions than those.
 */
export function judgeAsked(judging: Judging): void {
  const { row, epochs } = judging;
  const { sequence = [] } = epochs;
  const areAll = [...row.list.lengths.keys()].every((length) => length <= 1 + sequence.length);
  const followUps = areAll ? sequence : [];
  const texts = textsByPosition(judging);
  for (const [position, write] of [row.writes.create, ...followUps].entries()) {
    compareAsked(judging, { position, write, text: texts.get(position) });
  }
}

/** Text of each question that always was at one position. */
const textsByPosition = ({ row }: Judging): ReadonlyMap<number, Constancy | undefined> =>
  new Map(
    keptRows(row.questions).flatMap(({ position, isMoved, text }) => (isMoved ? [] : [[position, text] as const])),
  );

function compareAsked(
  { report, count }: Judging,
  {
    position,
    write,
    text,
  }: { readonly position: number; readonly write: WriteNote | undefined; readonly text: Constancy | undefined },
): void {
  const { witness, asked } = write ?? {};
  if (witness === undefined || asked === undefined || text === undefined) {
    return;
  }
  count("question-text-changed", 1);
  if (text.first.key !== asked.digest) {
    report({
      code: "question-text-changed",
      first: showing(witness, asked.words),
      second: text.first.witness,
      question: position,
      of: questionWords(position),
      because: "the text of a question stays as it was asked",
    });
  }
}
