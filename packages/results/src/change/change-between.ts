import type { ChangedVerdict, RunChange } from "../run-change.ts";
import type { RunResult } from "../run-result.ts";
import { changeCaveats } from "./change-caveats.ts";
import { changeSentence } from "./change-sentence.ts";
import { type ChangeKind, changedVerdict, changeKind, isJudgedTwice, rulePairs } from "./standing-change.ts";

/**
 * What changed from one run to a later one, rule by rule on each operation. Each rule stands in one list at most: a rule that
 * holds or warns in both, or was judged in neither, stands in none. What the runs themselves decide is not touched: a change never
 * makes an exit code.
 */
export const changeBetween = (base: RunResult, head: RunResult): RunChange => {
  const strict = { base: base.run.strict, head: head.run.strict };
  const pairs = rulePairs(base, head).map((pair) => ({ kind: changeKind(pair, strict), pair }));
  const of = (wanted: ChangeKind): readonly ChangedVerdict[] =>
    pairs.flatMap(({ kind, pair }) => (kind === wanted ? (changedVerdict(pair) ?? []) : []));
  const excused = of("excused");
  const shifted = of("shifted");
  const lists = {
    baseline: { id: base.run.id, target: base.run.target, startedAt: base.run.startedAt },
    broken: of("broken"),
    mended: of("mended"),
    stillBroken: of("stillBroken"),
    ...(excused.length === 0 ? {} : { excused }),
    ...(shifted.length === 0 ? {} : { shifted }),
    noLongerSeen: of("noLongerSeen"),
    newlySeen: of("newlySeen"),
  };
  const comparable = pairs.filter(({ pair }) => isJudgedTwice(pair)).length;
  return {
    ...lists,
    sentence: changeSentence({ ...lists, comparable }),
    caveats: changeCaveats(base, head),
  };
};
