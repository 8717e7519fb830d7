import type { ChangedVerdict, RunChange } from "../run-change.ts";
import type { RunResult } from "../run-result.ts";
import { changeSentence } from "./change-sentence.ts";
import { changedVerdict, changeKind, isJudgedTwice, rulePairs } from "./standing-change.ts";
import type { ChangeKind } from "./standing-change.ts";

const differs = (what: string, [before, after]: readonly [string, string]): readonly string[] =>
  before === after ? [] : [`${what}: \`${before}\` then, \`${after}\` now`];

const rules = (count: number): string => (count === 1 ? "1 rule was" : `${count} rules were`);

const selectionCaveats = (base: RunResult, head: RunResult): readonly string[] => {
  const pairs = rulePairs(base, head);
  const onlyThen = pairs.filter(({ after }) => after === undefined).length;
  const onlyNow = pairs.filter(({ before }) => before === undefined).length;
  return [
    ...(onlyThen === 0 ? [] : [`${rules(onlyThen)} selected then and not now`]),
    ...(onlyNow === 0 ? [] : [`${rules(onlyNow)} selected now and not then`]),
  ];
};

/** A violation leaves nothing undecided; everything else that is not a pass does. */
const isUndecided = ({ outcome, incomplete }: RunResult): boolean =>
  incomplete.length > 0 || !(outcome === "passed" || outcome === "failed" || outcome === "cleanup-incomplete");

const undecidedCaveats = (when: string, run: RunResult): readonly string[] =>
  isUndecided(run) ? [`the ${when} run ended as ${run.outcome} and did not decide everything: ${run.summary}`] : [];

const apiOf = ({ openapi }: RunResult): string => openapi?.sha256 ?? openapi?.source ?? "none";

/** Why two runs can hardly be compared, a sentence each; empty where nothing but the target may have changed. */
const changeCaveats = (base: RunResult, head: RunResult): readonly string[] => [
  ...(base.run.id === head.run.id ? ["both are the same run"] : []),
  // Embedded servers have another address in each run, and are the same all the same.
  ...(base.run.embedded && head.run.embedded ? [] : differs("the targets differ", [base.run.target, head.run.target])),
  ...differs("the profiles differ", [base.run.profile, head.run.profile]),
  ...differs("the versions of assay differ", [base.tool.version, head.tool.version]),
  ...differs("the OpenAPI documents that judged differ", [apiOf(base), apiOf(head)]),
  ...(base.run.strict === head.run.strict ? [] : ["only one of the two runs was strict"]),
  ...selectionCaveats(base, head),
  ...undecidedCaveats("earlier", base),
  ...undecidedCaveats("later", head),
];

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
