import { merged } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import type { Constancy, WitnessedValue } from "./constancy.ts";
import { keptRows } from "./conversation-row.ts";
import type { QuestionKey, QuestionRow } from "./conversation-row.ts";
import { questionWords } from "./judging.ts";
import type { Judging } from "./judging.ts";
import { findRegression } from "./regression.ts";
import { inOrder, isBefore, withValue } from "./witness.ts";
import type { Session, Witness } from "./witness.ts";

/** True if a position always means the same question, for questions identified by position. */
export interface ListJudgement {
  readonly keepsPlaces: boolean;
}

/** Judges whether lists of questions only grow at their end. */
export function judgeList(judging: Judging): ListJudgement {
  const { list } = judging.row;
  const { beginnings } = list;
  judging.count("question-lost", list.reads - 1);
  judging.count("question-reordered", Math.max(pairs(beginnings.id[1]), pairs(beginnings.text[1])));
  judging.count("question-id-changed", pairs(beginnings.id[0]));
  judging.count("question-duplicated", list.idLists);
  reportDuplicateId(judging);
  const isLost = judgeLengths(judging);
  judgeBeginnings(judging, { by: "id", isLost });
  return { keepsPlaces: judgeBeginnings(judging, { by: "text", isLost }) };
}

const pairs = (constancy: Constancy | undefined): number => Math.max(0, (constancy?.reads ?? 0) - 1);

function reportDuplicateId({ row, report }: Judging): void {
  const { duplicateId } = row.list;
  if (duplicateId !== undefined) {
    const { witness } = duplicateId.first;
    report({
      code: "question-duplicated",
      first: witness,
      second: witness,
      of: "the id",
      because: "one list contains it twice",
    });
  }
}

const withCount = (witness: Witness, length: number): Witness =>
  withValue(witness, length === 1 ? "1 question" : `${length} questions`);

/** Fewer questions later mean an older version or a loss. Returns true for a loss, which is reported once. */
function judgeLengths({ row, report, stale }: Judging): boolean {
  const byLength = [...row.list.lengths].sort(([a], [b]) => b - a);
  let high: Bounds | undefined;
  let isLost = false;
  const lengthOf = new Map<string, number>();
  for (const [length, low] of byLength) {
    const regression =
      high && findRegression({ high, low, isLowInitial: length === 1, highEndMicros: sessionEnds(high) });
    if (regression !== undefined) {
      const first = withCount(regression.first, lengthOf.get(regression.first.exchange) ?? 0);
      const second = withCount(regression.second, length);
      if (regression.kind === "stale") {
        stale({ first, second, staleMicros: second.sentAtMicros - first.endedAtMicros });
      } else if (!isLost) {
        isLost = true;
        report({ code: "question-lost", first, second, because: "questions are only ever added" });
      }
    }
    high = high === undefined ? { ...low } : merged([high, low]);
    recordLength(lengthOf, low, length);
  }
  return isLost;
}

function recordLength(lengthOf: Map<string, number>, bounds: Bounds, length: number): void {
  for (const witness of Object.values(bounds)) {
    if (witness !== undefined) {
      lengthOf.set(witness.exchange, length);
    }
  }
}

/** First end per session, from the witnesses only. Enough to recognize a list that stays short. */
const sessionEnds =
  ({ minEnd, minSent, maxSent, nextSent }: Bounds) =>
  (session: Session): number =>
    Math.min(
      ...[minEnd, minSent, maxSent, nextSent].map((read) =>
        read?.session === session ? read.endedAtMicros : Number.POSITIVE_INFINITY,
      ),
    );

/** Finds the first position at which two lists differ. Returns true if positions keep their meaning. */
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
    // Questions identified by position may change their text: `judgeText` compares that.
    return true;
  }
  reportDifference(judging, { position, pair: [first, other], moved, isLost });
  return false;
}

function movedIds({ row }: Judging): (digest: number) => boolean {
  const moved = new Set(keptRows(row.questions).flatMap((question) => (isMovedId(question) ? [question.key] : [])));
  return (digest) => moved.has(digest);
}

const isMovedId = ({ isKnownById, isMoved }: QuestionRow): boolean => isKnownById && isMoved;

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
 * If both questions also appear at other positions, they changed places. If only one does, the direction decides: if it
 * moved up, the other one was lost; if it moved down, something was inserted before it. If neither does, the question has a
 * new id.
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
    report({ code: "question-lost", ...common, because: "the one before it was lost" });
  } else {
    report({ code: "question-reordered", ...common, because: "questions keep their order, and new ones come last" });
  }
}
