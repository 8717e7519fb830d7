import { merged } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import type { Constancy, WitnessedValue } from "./constancy.ts";
import { fallOf } from "./going-back.ts";
import { keptRows } from "./kept-rows.ts";
import type { QuestionKey } from "./question-list.ts";
import type { QuestionRow } from "./question-row.ts";
import { questionWords } from "./report-draft.ts";
import type { Judging } from "./report-draft.ts";
import type { Session } from "./session.ts";
import { inOrder, isBefore, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";

/** Whether questions known by their position are still the same ones, so that the same position means the same question. */
export interface ListJudgement {
  readonly keepsPlaces: boolean;
}

/** Judges whether lists of questions only grow, and only at their end. */
export function judgeList(judging: Judging): ListJudgement {
  const { list } = judging.row;
  const { beginnings } = list;
  judging.count("question-lost", list.reads - 1);
  judging.count("question-reordered", Math.max(pairs(beginnings.id[1]), pairs(beginnings.text[1])));
  judging.count("question-id-changed", pairs(beginnings.id[0]));
  judging.count("question-duplicated", list.idLists);
  reportTwice(judging);
  const isLost = judgeLengths(judging);
  judgeBeginnings(judging, { by: "id", isLost });
  return { keepsPlaces: judgeBeginnings(judging, { by: "text", isLost }) };
}

const pairs = (constancy: Constancy | undefined): number => Math.max(0, (constancy?.reads ?? 0) - 1);

function reportTwice({ row, report }: Judging): void {
  const { twice } = row.list;
  if (twice !== undefined) {
    const { witness } = twice.first;
    report({
      code: "question-duplicated",
      first: witness,
      second: witness,
      of: "the id",
      because: "it stands in one list twice",
    });
  }
}

const counted = (witness: Witness, length: number): Witness =>
  showing(witness, length === 1 ? "1 question" : `${length} questions`);

/** Fewer questions later are an older version or a loss. Returns whether there was a loss, which is reported once. */
function judgeLengths({ row, report, stale }: Judging): boolean {
  const byLength = [...row.list.lengths].sort(([a], [b]) => b - a);
  let high: Bounds | undefined;
  let isLost = false;
  const lengthOf = new Map<string, number>();
  for (const [length, low] of byLength) {
    const fall = high && fallOf({ high, low, isLowInitial: length === 1, highEndMicros: sessionEnds(high) });
    if (fall !== undefined) {
      const first = counted(fall.first, lengthOf.get(fall.first.exchange) ?? 0);
      const second = counted(fall.second, length);
      if (fall.kind === "stale") {
        stale({ first, second, staleMicros: second.sentAtMicros - first.endedAtMicros });
      } else if (!isLost) {
        isLost = true;
        report({ code: "question-lost", first, second, because: "questions are only ever added" });
      }
    }
    high = high === undefined ? { ...low } : merged([high, low]);
    noteLength(lengthOf, low, length);
  }
  return isLost;
}

function noteLength(lengthOf: Map<string, number>, bounds: Bounds, length: number): void {
  for (const witness of Object.values(bounds)) {
    if (witness !== undefined) {
      lengthOf.set(witness.exchange, length);
    }
  }
}

/** What is known of sessions from the witnesses alone; enough to tell a list that stays short. */
const sessionEnds =
  ({ minEnd, minSent, maxSent, nextSent }: Bounds) =>
  (session: Session): number =>
    Math.min(
      ...[minEnd, minSent, maxSent, nextSent].map((read) =>
        read?.session === session ? read.endedAtMicros : Number.POSITIVE_INFINITY,
      ),
    );

/** Finds the first position at which two lists differ, and says how. Returns whether positions stay what they are. */
function judgeBeginnings(judging: Judging, { by, isLost }: { by: QuestionKey; isLost: boolean }): boolean {
  const beginnings = judging.row.list.beginnings[by];
  const position = beginnings.findIndex((beginning) => beginning?.other !== undefined);
  const differing = beginnings[position];
  if (differing?.other === undefined) {
    return true;
  }
  const { first, other } = differing;
  const isMoved = by === "id" ? movedIds(judging) : movedTexts(beginnings, position);
  const moved = [first, other].filter(({ detail }) => isMoved(detail));
  if (moved.length === 0 && by === "text") {
    // The text of a question known by its position: compared with each question.
    return true;
  }
  reportDifference(judging, { position, pair: [first, other], moved, isLost });
  return false;
}

function movedIds({ row }: Judging): (digest: number) => boolean {
  const moved = new Set(keptRows(row.questions).flatMap((question) => (isMovedId(question) ? [question.key] : [])));
  return (digest) => moved.has(digest);
}

const isMovedId = ({ isNamed, isMoved }: QuestionRow): boolean => isNamed && isMoved;

function movedTexts(beginnings: readonly (Constancy | undefined)[], position: number): (digest: number) => boolean {
  const later = new Set(beginnings.slice(position + 1).flatMap((each) => [each?.first.detail, each?.other?.detail]));
  return (digest) => later.has(digest);
}

interface Difference {
  readonly position: number;
  readonly pair: readonly [WitnessedValue, WitnessedValue];
  readonly moved: readonly WitnessedValue[];
  /** A loss was reported already. */
  readonly isLost: boolean;
}

/**
 * Where both stand elsewhere too, they changed places. Where one does and came up from further down, the other one is gone;
 * where it came first and was pushed down, something was put before it. Where none does, the question has another id.
 */
function reportDifference({ report }: Judging, { position, pair, moved, isLost }: Difference): void {
  const [first, second] = inOrder(pair[0].witness, pair[1].witness);
  const isOrdered = isBefore(first, second);
  const of = `${questionWords(position)} as`;
  const common = { first, second, question: position, of };
  const [only] = moved;
  if (only === undefined) {
    report({ code: "question-id-changed", ...common, because: "a question keeps its id" });
  } else if (moved.length === 1 && isOrdered && only.witness === second) {
    if (isLost) {
      return;
    }
    report({ code: "question-lost", ...common, because: "the one before it is gone" });
  } else {
    report({ code: "question-reordered", ...common, because: "questions keep their order, and new ones come last" });
  }
}
