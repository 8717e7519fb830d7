import { counted, defined } from "@assay/contract";
import type { ChangedVerdict, RunChange } from "./run-change.ts";
import type { RunResult } from "./run-result.ts";
import { ruleRows } from "./rule-rows.ts";
import { failsRun, isJudged, ruleStanding } from "./rule-standing.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { RuleVerdict } from "./verdict.ts";

/** The lists that the sentence counts, and the baseline. */
type ChangeCounts = Pick<
  RunChange,
  "baseline" | "broken" | "fixed" | "stillBroken" | "accepted" | "changedOther" | "noLongerSeen" | "newlySeen"
> & {
  /** Number of rules that both runs judged. */
  readonly comparable: number;
};

/** The verdict of the earlier run on rules that fail now, in the order of the sentence. */
const earlierVerdicts = [
  {
    was: (before: RuleStanding | undefined) => before === "passed",
    words: (_count: number, run: string) => `that passed in ${run}`,
  },
  {
    was: (before: RuleStanding | undefined) => before === "known-failure",
    words: (count: number, run: string) =>
      count === 1 ? `that was a known failure in ${run}` : `that were known failures in ${run}`,
  },
  {
    was: (before: RuleStanding | undefined) => before !== "passed" && before !== "known-failure",
    words: (_count: number, run: string) => `that did not fail in ${run}`,
  },
] as const;

const isFixed = (standing: RuleStanding | undefined): boolean => standing === "fixed";

const brokenPart = ({ broken, baseline }: ChangeCounts): readonly string[] =>
  earlierVerdicts.flatMap(({ was, words }) => {
    const count = broken.filter(({ before, after }) => was(before) && !isFixed(after)).length;
    return count === 0
      ? []
      : [`${counted(count, "rule")} ${count === 1 ? "fails" : "fail"} ${words(count, `run ${baseline.id}`)}`];
  });

const clause = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [counted(count, one, many)];

const listedPart = ({ broken, stillBroken, fixed }: ChangeCounts): readonly string[] => {
  const stillListed = [...broken, ...stillBroken].filter(({ after }) => isFixed(after)).length;
  const unlisted = fixed.filter(({ before }) => isFixed(before)).length;
  return [
    ...clause(
      stillListed,
      "is fixed but still listed as a known failure",
      "are fixed but still listed as known failures",
    ),
    ...clause(fixed.length - unlisted, "passes again", "pass again"),
    ...clause(unlisted, "is no longer listed as a known failure", "are no longer listed as known failures"),
  ];
};

/** Rules that make neither run fail. */
const shiftedPart = ({ changedOther = [] }: ChangeCounts): readonly string[] => {
  const worse = changedOther.filter(({ before }) => before === "passed").length;
  return [
    ...clause(worse, "that passed now warns or is a known failure", "that passed now warn or are known failures"),
    ...clause(
      changedOther.length - worse,
      "that warned or was a known failure now passes",
      "that warned or were known failures now pass",
    ),
  ];
};

/** Counts rules that were not selected apart from rules that were not tested. */
const lostPart = ({ noLongerSeen }: ChangeCounts): readonly string[] => {
  const kinds = [
    [noLongerSeen.filter(({ after }) => after !== undefined), "is no longer tested", "are no longer tested"],
    [noLongerSeen.filter(({ after }) => after === undefined), "was not selected now", "were not selected now"],
  ] as const;
  return kinds.flatMap(([lost, one, many]) => {
    const failing = lost.filter(({ before }) => before === "failed").length;
    const failed = failing === 0 ? "" : `, ${failing} of which failed`;
    return clause(lost.length, one, many).map((part) => `${part}${failed}`);
  });
};

const newPart = ({ newlySeen }: ChangeCounts): readonly string[] => {
  const unselected = newlySeen.filter(({ before }) => before === undefined).length;
  return [
    ...clause(newlySeen.length - unselected, "is tested that was not before", "are tested that were not before"),
    ...clause(unselected, "is tested that was not selected before", "are tested that were not selected before"),
  ];
};

/** Describes the changes in one sentence without a full stop. It says that nothing changed only if something could be compared. */
const changeSentence = (change: ChangeCounts): string => {
  const { baseline, stillBroken, accepted = [], comparable } = change;
  const fails = brokenPart(change);
  const parts = [
    ...fails,
    ...listedPart(change),
    ...clause(accepted.length, "fails as before and is accepted now", "fail as before and are accepted now"),
    ...shiftedPart(change),
    ...lostPart(change),
    ...newPart(change),
  ];
  const stillFailing = stillBroken.filter(({ after }) => !isFixed(after)).length;
  const still = clause(stillFailing, "still fails", "still fail");
  if (comparable === 0) {
    const notComparable = `nothing can be compared with run ${baseline.id}: no rule was tested in both`;
    return [notComparable, ...parts].join("; ");
  }
  const clauses = parts.length > 0 && fails.length === 0 ? [`since run ${baseline.id}: ${parts.join("; ")}`] : parts;
  return parts.length === 0
    ? [`nothing changed since run ${baseline.id}`, ...still].join("; ")
    : [...clauses, ...still].join("; ");
};

/** How a rule changed between two runs; `same` is not reported. */
type ChangeKind =
  | "broken"
  | "fixed"
  | "stillBroken"
  | "accepted"
  | "changedOther"
  | "noLongerSeen"
  | "newlySeen"
  | "same"
  | "never-seen";

/** A rule on one operation in both runs; undefined where a run did not select it. */
interface RulePair {
  readonly before?: RuleVerdict;
  readonly after?: RuleVerdict;
}

/** Every rule of either run; unknown rules of the later run come first. */
const rulePairs = (base: RunResult, head: RunResult): readonly RulePair[] =>
  ruleRows([head, base])
    .filter(({ isRepeat }) => !isRepeat)
    .map(({ cells: [after, before] }) => defined({ before: before?.rule, after: after?.rule }));

/** Whether warnings make each of the two runs fail. */
interface Strictness {
  readonly base: boolean;
  readonly head: boolean;
}

/** True if a rule passed in only one of two runs. */
const hasShifted = (before: RuleVerdict, after: RuleVerdict): boolean =>
  (ruleStanding(before) === "passed") !== (ruleStanding(after) === "passed");

const kindOfJudged = ({ before, after }: Required<RulePair>, strict: Strictness): ChangeKind => {
  const wasRed = failsRun(before, strict.base);
  if (failsRun(after, strict.head)) {
    return wasRed ? "stillBroken" : "broken";
  }
  if (!wasRed) {
    return hasShifted(before, after) ? "changedOther" : "same";
  }
  return after.verdict.outcome === "passed" ? "fixed" : "accepted";
};

const isJudgedTwice = ({ before, after }: RulePair): boolean =>
  before !== undefined && after !== undefined && isJudged(before) && isJudged(after);

/** How a rule changed. A rule that fails now and was not judged before counts as broken. */
const changeKind = ({ before, after }: RulePair, strict: Strictness): ChangeKind => {
  if (after !== undefined && isJudged(after)) {
    if (before !== undefined && isJudged(before)) {
      return kindOfJudged({ before, after }, strict);
    }
    return failsRun(after, strict.head) ? "broken" : "newlySeen";
  }
  return before !== undefined && isJudged(before) ? "noLongerSeen" : "never-seen";
};

/** The pair as it is reported; undefined if neither run selected the rule. */
const changedVerdict = ({ before, after }: RulePair): ChangedVerdict | undefined => {
  const either = after ?? before;
  return either === undefined
    ? undefined
    : {
        rule: either.rule,
        interface: either.interface,
        operation: either.operation,
        title: either.title,
        ...(before === undefined ? {} : { before: ruleStanding(before) }),
        ...(after === undefined ? {} : { after: ruleStanding(after) }),
      };
};

const differs = (what: string, [before, after]: readonly [string, string]): readonly string[] =>
  before === after ? [] : [`${what}: \`${before}\` then, \`${after}\` now`];

const rules = (count: number): string => counted(count, "rule was", "rules were");

const selectionCaveats = (base: RunResult, head: RunResult): readonly string[] => {
  const pairs = rulePairs(base, head);
  const onlyThen = pairs.filter(({ after }) => after === undefined).length;
  const onlyNow = pairs.filter(({ before }) => before === undefined).length;
  return [
    ...(onlyThen === 0 ? [] : [`${rules(onlyThen)} selected then and not now`]),
    ...(onlyNow === 0 ? [] : [`${rules(onlyNow)} selected now and not then`]),
  ];
};

/** True if the run could not decide everything: it is incomplete, or ended for a reason other than the target. */
const isUndecided = ({ outcome, incomplete }: RunResult): boolean =>
  incomplete.length > 0 || !(outcome === "passed" || outcome === "failed" || outcome === "cleanup-incomplete");

const undecidedCaveats = (when: string, run: RunResult): readonly string[] =>
  isUndecided(run) ? [`the ${when} run ended as ${run.outcome} and did not decide everything: ${run.summary}`] : [];

const apiOf = ({ openapi }: RunResult): string => openapi?.sha256 ?? openapi?.source ?? "none";

/** Another version of HTTP may be answered by another proxy. */
const httpCaveats = (one: RunResult, other: RunResult): readonly string[] => {
  const [base, head] = [one.run.httpVersions, other.run.httpVersions];
  return base === undefined || head === undefined
    ? []
    : differs("the versions of HTTP differ", [base.join(" and "), head.join(" and ")]);
};

/** Reasons to compare two runs with care, one sentence each; empty if only the target can have changed. */
const changeCaveats = (base: RunResult, head: RunResult): readonly string[] => [
  ...(base.run.id === head.run.id ? ["both are the same run"] : []),
  // An embedded server has a different URL in each run.
  ...(base.run.embedded && head.run.embedded ? [] : differs("the targets differ", [base.run.target, head.run.target])),
  ...differs("the profiles differ", [base.run.profile, head.run.profile]),
  ...httpCaveats(base, head),
  ...differs("the versions of assay differ", [base.tool.version, head.tool.version]),
  ...differs("the OpenAPI documents that judged differ", [apiOf(base), apiOf(head)]),
  ...(base.run.strict === head.run.strict ? [] : ["only one of the two runs was strict"]),
  ...selectionCaveats(base, head),
  ...undecidedCaveats("earlier", base),
  ...undecidedCaveats("later", head),
];

/**
 * What changed from one run to a later one, for each rule on each operation. A rule is in one list at most. A rule that passed or warned
 * in both runs, or was judged in neither, is in none. A change has no effect on exit codes.
 */
export const changeBetween = (base: RunResult, head: RunResult): RunChange => {
  const strict = { base: base.run.strict, head: head.run.strict };
  const pairs = rulePairs(base, head).map((pair) => ({ kind: changeKind(pair, strict), pair }));
  const of = (wanted: ChangeKind): readonly ChangedVerdict[] =>
    pairs.flatMap(({ kind, pair }) => (kind === wanted ? (changedVerdict(pair) ?? []) : []));
  const accepted = of("accepted");
  const changedOther = of("changedOther");
  const lists = {
    baseline: { id: base.run.id, target: base.run.target, startedAt: base.run.startedAt },
    broken: of("broken"),
    fixed: of("fixed"),
    stillBroken: of("stillBroken"),
    ...(accepted.length === 0 ? {} : { accepted }),
    ...(changedOther.length === 0 ? {} : { changedOther }),
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
