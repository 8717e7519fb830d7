import { boundsOf, extend } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { compared } from "./constancy.ts";
import type { Constancy } from "./constancy.ts";
import type { Member } from "./member.ts";
import type { Witness } from "./witness.ts";
import { chainedDigest } from "./text-digest.ts";

/** How the questions of a list are told apart. */
export type QuestionKey = "id" | "text";

/**
 * What is kept of the lists of questions that were shown. Lists only grow at their end, so of two lists the shorter one is a
 * beginning of the longer one. For every position the digest of the list up to there is compared: the first position at
 * which any two differ has two observations that agree before it and disagree at it.
 */
export interface QuestionList {
  reads: number;
  /** What was last seen at each position. */
  readonly recent: (Member | undefined)[];
  /** Observations by number of questions; fewer questions later is a step back like one of states. */
  readonly lengths: Map<number, Bounds>;
  readonly beginnings: Readonly<Record<QuestionKey, (Constancy | undefined)[]>>;
  /** Lists with at least two questions that have ids. */
  idLists: number;
  /** First observation of a list that has one id twice. */
  twice: Constancy | undefined;
}

export const newQuestionList = (): QuestionList => ({
  reads: 0,
  recent: [],
  lengths: new Map(),
  beginnings: { id: [], text: [] },
  idLists: 0,
  twice: undefined,
});

/** Longest beginning of a list that is compared. */
export const maxListed = 1024;

export function seeLength(list: QuestionList, length: number, witness: Witness): void {
  list.reads += 1;
  const known = list.lengths.get(length);
  if (known === undefined) {
    list.lengths.set(length, boundsOf(witness));
  } else {
    extend(known, witness);
  }
}

/** Compares the beginnings of a list with those of all others. */
export function seeMembers(
  list: QuestionList,
  witness: Witness,
  named: { by: QuestionKey; members: readonly Member[] },
): void {
  const beginnings = list.beginnings[named.by];
  let chained = 0;
  named.members.forEach(({ digest, text }, position) => {
    chained = chainedDigest(chained, digest);
    beginnings[position] = compared(beginnings[position], witness, { key: chained, detail: digest, text });
  });
}
