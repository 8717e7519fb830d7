import { counted, defined } from "@assay/contract";
import type { ChangedVerdict, RunChange } from "./run-change.ts";
import type { RunResult } from "./run-result.ts";
import { createRuleRows } from "./rule-rows.ts";
import { failsRun, isJudged, ruleStanding } from "./rule-standing.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { RuleVerdict } from "./verdict.ts";

/** The lists that the sentence counts, and the baseline. */
type ChangeCounts = Pick<
  RunChange,
  "baseline" | "broken" | "fixed" | "stillBroken" | "accepted" | "changedOther" | "noLongerSeen" | "newlySeen"
> & {
  /** Number of rules that both runs judged. */
  readonly comparableCount: number;
};

/** The verdict of the earlier run on rules that fail now, in the order of the sentence. */
const earlierVerdicts = [
  {
    matches: (before: RuleStanding | undefined) => before === "passed",
    describe: (_count: number, run: string) => `that passed in ${run}`,
  },
  {
    matches: (before: RuleStanding | undefined) => before === "known-failure",
    describe: (count: number, run: string) =>
      count === 1 ? `that was a known failure in ${run}` : `that were known failures in ${run}`,
  },
  {
    matches: (before: RuleStanding | undefined) => before !== "passed" && before !== "known-failure",
    describe: (_count: number, run: string) => `that did not fail in ${run}`,
  },
] as const;

const isFixed = (standing: RuleStanding | undefined): boolean => standing === "fixed";

const describeNewFailures = ({ broken, baseline }: ChangeCounts): readonly string[] =>
  earlierVerdicts.flatMap(({ matches, describe }) => {
    const count = broken.filter(({ before, after }) => matches(before) && !isFixed(after)).length;
    return count === 0
      ? []
      : [`${counted(count, "rule")} ${count === 1 ? "fails" : "fail"} ${describe(count, `run ${baseline.id}`)}`];
  });

const countClause = (count: number, singular: string, plural: string): readonly string[] =>
  count === 0 ? [] : [counted(count, singular, plural)];

const describeKnownFailures = ({ broken, stillBroken, fixed }: ChangeCounts): readonly string[] => {
  const stillListedCount = [...broken, ...stillBroken].filter(({ after }) => isFixed(after)).length;
  const unlistedCount = fixed.filter(({ before }) => isFixed(before)).length;
  return [
    ...countClause(
      stillListedCount,
      "is fixed but still listed as a known failure",
      "are fixed but still listed as known failures",
    ),
    ...countClause(fixed.length - unlistedCount, "passes again", "pass again"),
    ...countClause(unlistedCount, "is no longer listed as a known failure", "are no longer listed as known failures"),
  ];
};

/** Counts rules that changed but make neither run fail. */
const describeWarnings = ({ changedOther = [] }: ChangeCounts): readonly string[] => {
  const worseCount = changedOther.filter(({ before }) => before === "passed").length;
  return [
    ...countClause(
      worseCount,
      "that passed now warns or is a known failure",
      "that passed now warn or are known failures",
    ),
    ...countClause(
      changedOther.length - worseCount,
      "that warned or was a known failure now passes",
      "that warned or were known failures now pass",
    ),
  ];
};

/** Counts rules that are no longer tested. Rules that were not selected are counted separately. */
const describeNoLongerTested = ({ noLongerSeen }: ChangeCounts): readonly string[] => {
  const kinds = [
    [noLongerSeen.filter(({ after }) => after !== undefined), "is no longer tested", "are no longer tested"],
    [noLongerSeen.filter(({ after }) => after === undefined), "was not selected now", "were not selected now"],
  ] as const;
  return kinds.flatMap(([verdicts, singular, plural]) => {
    const failedCount = verdicts.filter(({ before }) => before === "failed").length;
    const failedClause = failedCount === 0 ? "" : `, ${failedCount} of which failed`;
    return countClause(verdicts.length, singular, plural).map((part) => `${part}${failedClause}`);
  });
};

const describeNewlyTested = ({ newlySeen }: ChangeCounts): readonly string[] => {
  const unselectedCount = newlySeen.filter(({ before }) => before === undefined).length;
  return [
    ...countClause(
      newlySeen.length - unselectedCount,
      "is tested that was not before",
      "are tested that were not before",
    ),
    ...countClause(
      unselectedCount,
      "is tested that was not selected before",
      "are tested that were not selected before",
    ),
  ];
};

/** Describes the changes in one sentence without a full stop. It says that nothing changed only if something could be compared. */
const describeChange = (change: ChangeCounts): string => {
  const { baseline, stillBroken, accepted = [], comparableCount } = change;
  const newFailures = describeNewFailures(change);
  const parts = [
    ...newFailures,
    ...describeKnownFailures(change),
    ...countClause(accepted.length, "fails as before and is accepted now", "fail as before and are accepted now"),
    ...describeWarnings(change),
    ...describeNoLongerTested(change),
    ...describeNewlyTested(change),
  ];
  const stillFailingCount = stillBroken.filter(({ after }) => !isFixed(after)).length;
  const stillFailingClause = countClause(stillFailingCount, "still fails", "still fail");
  if (comparableCount === 0) {
    const notComparable = `nothing can be compared with run ${baseline.id}: no rule was tested in both`;
    return [notComparable, ...parts].join("; ");
  }
  const clauses =
    parts.length > 0 && newFailures.length === 0 ? [`since run ${baseline.id}: ${parts.join("; ")}`] : parts;
  return parts.length === 0
    ? [`nothing changed since run ${baseline.id}`, ...stillFailingClause].join("; ")
    : [...clauses, ...stillFailingClause].join("; ");
};

/** A rule's change between two runs. `same` and `never-seen` are not reported. */
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

/** A rule on one operation in both runs. Undefined if a run did not select it. */
interface RulePair {
  readonly before?: RuleVerdict;
  readonly after?: RuleVerdict;
}

/** Returns every rule of either run. Unknown rules of the later run come before unknown rules of the earlier run. */
const pairRules = (base: RunResult, head: RunResult): readonly RulePair[] =>
  createRuleRows([head, base])
    .filter(({ isRepeat }) => !isRepeat)
    .map(({ cells: [after, before] }) => defined({ before: before?.rule, after: after?.rule }));

/** Whether warnings make each of the two runs fail. */
interface Strictness {
  readonly base: boolean;
  readonly head: boolean;
}

/** Reports whether a rule passed in only one of two runs. */
const passedInOnlyOne = (before: RuleVerdict, after: RuleVerdict): boolean =>
  (ruleStanding(before) === "passed") !== (ruleStanding(after) === "passed");

const classifyJudgedPair = ({ before, after }: Required<RulePair>, strict: Strictness): ChangeKind => {
  const failedBefore = failsRun(before, strict.base);
  if (failsRun(after, strict.head)) {
    return failedBefore ? "stillBroken" : "broken";
  }
  if (!failedBefore) {
    return passedInOnlyOne(before, after) ? "changedOther" : "same";
  }
  return after.verdict.outcome === "passed" ? "fixed" : "accepted";
};

const isJudgedTwice = ({ before, after }: RulePair): boolean =>
  before !== undefined && after !== undefined && isJudged(before) && isJudged(after);

/** Returns how a rule changed. A rule that fails now and was not judged before counts as broken. */
const classifyPair = ({ before, after }: RulePair, strict: Strictness): ChangeKind => {
  if (after !== undefined && isJudged(after)) {
    if (before !== undefined && isJudged(before)) {
      return classifyJudgedPair({ before, after }, strict);
    }
    return failsRun(after, strict.head) ? "broken" : "newlySeen";
  }
  return before !== undefined && isJudged(before) ? "noLongerSeen" : "never-seen";
};

/** Converts a pair for the report. Returns undefined if neither run selected the rule. */
const toChangedVerdict = ({ before, after }: RulePair): ChangedVerdict | undefined => {
  const verdict = after ?? before;
  return verdict === undefined
    ? undefined
    : {
        rule: verdict.rule,
        interface: verdict.interface,
        operation: verdict.operation,
        title: verdict.title,
        ...(before === undefined ? {} : { before: ruleStanding(before) }),
        ...(after === undefined ? {} : { after: ruleStanding(after) }),
      };
};

const describeDifference = (subject: string, [before, after]: readonly [string, string]): readonly string[] =>
  before === after ? [] : [`${subject}: \`${before}\` then, \`${after}\` now`];

const formatRuleCount = (count: number): string => counted(count, "rule was", "rules were");

const listSelectionCaveats = (base: RunResult, head: RunResult): readonly string[] => {
  const pairs = pairRules(base, head);
  const onlyBeforeCount = pairs.filter(({ after }) => after === undefined).length;
  const onlyNowCount = pairs.filter(({ before }) => before === undefined).length;
  return [
    ...(onlyBeforeCount === 0 ? [] : [`${formatRuleCount(onlyBeforeCount)} selected then and not now`]),
    ...(onlyNowCount === 0 ? [] : [`${formatRuleCount(onlyNowCount)} selected now and not then`]),
  ];
};

/** Reports whether the run could not decide everything: it is incomplete, or ended for a reason other than the target. */
const isUndecided = ({ outcome, incomplete }: RunResult): boolean =>
  incomplete.length > 0 || !(outcome === "passed" || outcome === "failed" || outcome === "cleanup-incomplete");

const listUndecidedCaveats = (position: string, run: RunResult): readonly string[] =>
  isUndecided(run) ? [`the ${position} run ended as ${run.outcome} and did not decide everything: ${run.summary}`] : [];

const identifyApiDocument = ({ openapi }: RunResult): string => openapi?.sha256 ?? openapi?.source ?? "none";

/** Reports different HTTP versions, because a different proxy may have answered. */
const listHttpCaveats = (base: RunResult, head: RunResult): readonly string[] => {
  const [baseVersions, headVersions] = [base.run.httpVersions, head.run.httpVersions];
  return baseVersions === undefined || headVersions === undefined
    ? []
    : describeDifference("the versions of HTTP differ", [baseVersions.join(" and "), headVersions.join(" and ")]);
};

/** Returns reasons to compare two runs with care, each as one sentence. Empty if only the target can have changed. */
const listCaveats = (base: RunResult, head: RunResult): readonly string[] => [
  ...(base.run.id === head.run.id ? ["both are the same run"] : []),
  // An embedded server has a different URL in each run.
  ...(base.run.embedded && head.run.embedded
    ? []
    : describeDifference("the targets differ", [base.run.target, head.run.target])),
  ...describeDifference("the profiles differ", [base.run.profile, head.run.profile]),
  ...listHttpCaveats(base, head),
  ...describeDifference("the versions of assay differ", [base.tool.version, head.tool.version]),
  ...describeDifference("the OpenAPI documents that judged differ", [
    identifyApiDocument(base),
    identifyApiDocument(head),
  ]),
  ...(base.run.strict === head.run.strict ? [] : ["only one of the two runs was strict"]),
  ...listSelectionCaveats(base, head),
  ...listUndecidedCaveats("earlier", base),
  ...listUndecidedCaveats("later", head),
];

/**
 * Returns what changed from one run to a later one, for each rule on each operation. A rule is in at most one list. A rule that passed or
 * warned in both runs, or was judged in neither, is in none. A change has no effect on exit codes.
 */
export const changeBetween = (base: RunResult, head: RunResult): RunChange => {
  const strict = { base: base.run.strict, head: head.run.strict };
  const pairs = pairRules(base, head).map((pair) => ({ kind: classifyPair(pair, strict), pair }));
  const verdictsOfKind = (wantedKind: ChangeKind): readonly ChangedVerdict[] =>
    pairs.flatMap(({ kind, pair }) => (kind === wantedKind ? (toChangedVerdict(pair) ?? []) : []));
  const accepted = verdictsOfKind("accepted");
  const changedOther = verdictsOfKind("changedOther");
  const lists = {
    baseline: { id: base.run.id, target: base.run.target, startedAt: base.run.startedAt },
    broken: verdictsOfKind("broken"),
    fixed: verdictsOfKind("fixed"),
    stillBroken: verdictsOfKind("stillBroken"),
    ...(accepted.length === 0 ? {} : { accepted }),
    ...(changedOther.length === 0 ? {} : { changedOther }),
    noLongerSeen: verdictsOfKind("noLongerSeen"),
    newlySeen: verdictsOfKind("newlySeen"),
  };
  const comparableCount = pairs.filter(({ pair }) => isJudgedTwice(pair)).length;
  return {
    ...lists,
    sentence: describeChange({ ...lists, comparableCount }),
    caveats: listCaveats(base, head),
  };
};
