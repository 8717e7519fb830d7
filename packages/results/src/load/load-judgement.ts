import { defined, loadSides } from "@assay/contract";
import { closedObject, count, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { formatGrouped } from "../format-grouped.ts";
import type { RuleStanding } from "../rule-standing.ts";
import { IncompleteReasonShape, MistakesShape } from "../run-result.ts";
import { KnownFailureShape } from "../verdict.ts";
import { PhaseShape } from "./load-histogram.ts";

/** Kinds of exchanges, in the order of reports. */
export const judgedGroups = ["search", "conversation"] as const;

const JudgedGroupShape = closedObject({
  group: Type.Enum(judgedGroups),
  sent: count(),
  judged: count("Complete, and judged by all rules that need one exchange or the history of one conversation."),
  brokenOff: count("Broke off (connection, deadline, limit, end of the run), and judged up to that point."),
  unanswered: count("No answer, or none of the API, so there was nothing to judge."),
  thinnedOut: count(
    "Left out at random, because the files were full or filled too fast. The judged ones are a fair sample.",
  ),
  lost: count("Not stored, because the recorder could not keep up."),
});
/** Counts of the exchanges of one kind. Those below `sent` add up to it, except for exchanges in flight when k6 was killed. */
export interface JudgedGroup extends Stored<typeof JudgedGroupShape> {}

const DependenceShape = Type.Enum(["under-load", "without-load-too", "unknown"], {
  description: "Whether the rule also fails without load.",
});
/** Whether a rule that failed under load fails without load. */
export type LoadDependence = Stored<typeof DependenceShape>;

const failedRuleMembers = {
  rule: Type.String(),
  title: Type.String(),
  side: Type.Optional(
    Type.Enum(loadSides, {
      description: "In a comparison, the target on which it failed. A rule that failed on both is listed twice.",
    }),
  ),
};

const FailedLoadRuleShape = closedObject({
  ...failedRuleMembers,
  violations: Type.Integer({ minimum: 1, description: "Violations in the judged exchanges." }),
  message: Type.String(),
  exchange: Type.String({ description: "Id of the first violating exchange." }),
  run: Type.Optional(Type.String({ description: "In a merge, the run of the exchange." })),
  atSeconds: count("Start of that exchange, in seconds after the start of the run."),
  phase: PhaseShape,
  query: Type.String(),
  inFlight: count("Requests in flight then."),
  ratePerSecond: count("Requests that began in the second before."),
  dependence: DependenceShape,
});
/** A rule that failed on exchanges of the load. */
export interface FailedLoadRule extends Stored<typeof FailedLoadRuleShape> {}

/** Outcomes of rules in a load. When parts are merged, the first of these that occurs in any part wins. */
export const loadRuleOutcomes = [
  "failed",
  "known-failure",
  "blocked",
  "warned",
  "fixed",
  "passed",
  "not-tested",
  "not-applicable",
  "compares-searches",
] as const satisfies readonly (RuleStanding | "compares-searches")[];

/** The outcome of a rule in a load: as in any run, or `compares-searches` if it needs several exchanges and is left to the canary. */
export type LoadRuleOutcome = (typeof loadRuleOutcomes)[number];

const LoadRuleShape = closedObject({
  rule: Type.String(),
  outcome: Type.Enum(loadRuleOutcomes, {
    description: "As in any run, or `compares-searches`: the rule needs several exchanges and is left to the canary.",
  }),
  confirmed: Type.Optional(
    Type.Literal(true, { description: "Present if the pass is confirmed on a sample of the exchanges." }),
  ),
  reason: Type.Optional(
    Type.String({
      description: "The warning, the cause of the block, or why the rule was not tested, as one sentence.",
    }),
  ),
});
export interface LoadRule extends Stored<typeof LoadRuleShape> {}

const KnownLoadRuleShape = closedObject({
  ...failedRuleMembers,
  known: KnownFailureShape,
  violations: Type.Optional(Type.Integer({ minimum: 1, description: "If it failed or warned: how often." })),
  message: Type.Optional(Type.String({ description: "If it failed or warned: the first finding." })),
});
/** A rule in a list of known failures: it failed or warned as listed, or passed although it is listed. */
export interface KnownLoadRule extends Stored<typeof KnownLoadRuleShape> {}

const isSameRule = (a: KnownLoadRule, b: KnownLoadRule): boolean => a.rule === b.rule && a.side === b.side;

/** Merges the known failures of all parts of a load: each rule once for each target. A rule that failed in a part is not fixed. */
export function mergeKnownRules(parts: readonly (readonly KnownLoadRule[])[]): readonly KnownLoadRule[] {
  const rules = parts.flat();
  return rules.flatMap((rule, index) => {
    if (rules.findIndex((other) => isSameRule(rule, other)) < index) {
      return [];
    }
    const sameRules = rules.filter((other) => isSameRule(rule, other));
    const failing = sameRules.filter(({ known }) => known.status === "known-failure");
    const violations = failing.reduce((sum, sameRule) => sum + (sameRule.violations ?? 0), 0);
    return [failing[0] === undefined ? rule : { ...failing[0], violations }];
  });
}

/** Formats the target of a comparison on which a rule failed, in brackets. Empty if there is one target. */
export const formatSide = ({ side }: Pick<FailedLoadRule, "side">): string => (side === undefined ? "" : ` (${side})`);

const getOutcomeRank = ({ outcome }: LoadRule): number => loadRuleOutcomes.indexOf(outcome);

/** Merges the outcomes of a rule in two parts of a load, in any order. */
function mergeLoadRule(a: LoadRule, b: LoadRule): LoadRule {
  if (getOutcomeRank(a) !== getOutcomeRank(b)) {
    return getOutcomeRank(a) < getOutcomeRank(b) ? a : b;
  }
  const { rule, outcome } = a;
  const [reason] = [a.reason, b.reason].filter((text) => text !== undefined).toSorted();
  // A confirmation in one part says nothing about the other.
  const isConfirmed = a.confirmed === true && b.confirmed === true;
  return { rule, outcome, ...(isConfirmed ? { confirmed: true } : {}), ...defined({ reason }) };
}

/** Merges the outcomes of rules in all parts of a load, in the order of the first part that has them. A rule that failed in one part failed. */
export function mergeLoadRules(parts: readonly (readonly LoadRule[])[]): readonly LoadRule[] {
  const rulesById = new Map<string, LoadRule>();
  for (const rule of parts.flat()) {
    const earlier = rulesById.get(rule.rule);
    rulesById.set(rule.rule, earlier === undefined ? rule : mergeLoadRule(earlier, rule));
  }
  return [...rulesById.values()];
}

export const LoadJudgementShape = closedObject(
  {
    groups: Type.Array(JudgedGroupShape, {
      description:
        "Counts of the exchanges of one kind. Those below `sent` add up to it, except for exchanges in flight when k6 was killed.",
    }),
    rules: Type.Array(LoadRuleShape, {
      description: "Every rule about the requests of the scenario, in the order of the catalogue.",
    }),
    broken: Type.Array(FailedLoadRuleShape, { description: "Rules that failed and are not known failures." }),
    known: Type.Optional(
      Type.Array(KnownLoadRuleShape, {
        minItems: 1,
        description: "Rules in lists of known failures. Absent if there are none.",
      }),
    ),
    knownFailureMistakes: MistakesShape,
    knownFailureNotes: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          "Known failures from lists included in Assay that did not occur, each as one sentence. Absent if there are none.",
      }),
    ),
    notTheApi: Type.Optional(IncompleteReasonShape),
    notAlwaysTheApi: Type.Optional(IncompleteReasonShape),
    httpVersions: Type.Optional(
      Type.Array(Type.String(), {
        description: "HTTP versions of the responses, such as `1.1`. Absent if unknown.",
      }),
    ),
    alert: Type.Optional(
      Type.String({
        description: "Text of an alert that answered a search without load, on one line. Absent if there was none.",
      }),
    ),
    unloaded: count(
      "Number of searches and conversation calls before and after the load, which show what fails only under load.",
    ),
    sentence: Type.String({ description: "Number of judged exchanges out of all, as one sentence." }),
    keptBytes: count("Size of the stored exchanges."),
    capBytes: count("Limit of that size."),
    problems: Type.Array(Type.String(), {
      description: "Why not everything could be stored or read, each as one sentence.",
    }),
  },
  {
    $id: "judgement",
    description:
      "The verdicts of all rules on the exchanges of the load. `notTheApi`: streams or conversations could not be judged, because the API answered none of the searches or calls of a target, but something else did. `notAlwaysTheApi`: how often something else answered although the API answered other requests, such as a login page after a session expired. No rule judges such responses; they count as unanswered.",
  },
);
/** The verdicts of all rules on the exchanges of a load. */
export interface LoadJudgement extends Stored<typeof LoadJudgementShape> {}

const distinctOrUndefined = <T>(items: Iterable<T>): readonly T[] | undefined => {
  const distinct = [...new Set(items)];
  return distinct.length === 0 ? undefined : distinct;
};

/** Merges the members of a judgement about known failures. Removes duplicates, and omits empty members. */
export const mergeKnownFailures = (
  knownFailures: Required<Pick<LoadJudgement, "known" | "knownFailureMistakes" | "knownFailureNotes">>,
): Pick<LoadJudgement, "known" | "knownFailureMistakes" | "knownFailureNotes"> =>
  defined({
    known: distinctOrUndefined(knownFailures.known),
    knownFailureMistakes: distinctOrUndefined(knownFailures.knownFailureMistakes),
    knownFailureNotes: distinctOrUndefined(knownFailures.knownFailureNotes),
  });

/** Reports whether any exchange could be judged. */
export const hasJudgedExchanges = ({ groups }: Pick<LoadJudgement, "groups">): boolean =>
  groups.some(({ judged, brokenOff }) => judged > 0 || brokenOff > 0);

/** Reports whether every exchange was judged completely, and there was at least one. */
export const isFullyJudged = ({ groups, problems }: Pick<LoadJudgement, "groups" | "problems">): boolean =>
  groups.length > 0 && groups.every(({ sent, judged }) => judged >= sent) && problems.length === 0;

/** Formats a percentage. Rounds to 0 or 100 % only if that is exact. */
function formatPercent(part: number, whole: number): string {
  const rounded = Math.round((part / whole) * 1000) / 10;
  return `${part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, rounded)) : rounded} %`;
}

const describeBrokenOff = (brokenOffCount: number): string =>
  brokenOffCount === 1
    ? "1 broke off and was checked up to that point"
    : `${formatGrouped(brokenOffCount)} broke off and were checked up to that point`;

const countWithWas = (exchangeCount: number): string =>
  `${formatGrouped(exchangeCount)} ${exchangeCount === 1 ? "was" : "were"}`;

/** Counts stored exchanges that are missing on the disk because files were truncated or damaged. */
export const countMissingExchanges = (groups: readonly JudgedGroup[]): number =>
  groups.reduce(
    (sum, { sent, judged, brokenOff, unanswered, thinnedOut, lost }) =>
      sum + sent - judged - brokenOff - unanswered - thinnedOut - lost,
    0,
  );

/** Describes how many of all exchanges were judged, and why the others were not. */
export function describeJudgement(groups: readonly JudgedGroup[]): string {
  const sum = (countOf: (group: JudgedGroup) => number): number =>
    groups.reduce((total, group) => total + countOf(group), 0);
  const [sent, judged] = [sum((group) => group.sent), sum((group) => group.judged)];
  const [brokenOff, unanswered] = [sum((group) => group.brokenOff), sum((group) => group.unanswered)];
  const [thinnedOut, lost] = [sum((group) => group.thinnedOut), sum((group) => group.lost)];
  const coverage = `${formatGrouped(judged)} of ${formatGrouped(sent)} exchanges were checked`;
  if (sent === 0) {
    return "no exchange of the load was stored, so none was checked";
  }
  if (unanswered === sent) {
    return `nothing was checked: none of ${formatGrouped(sent)} ${sent === 1 ? "exchange" : "exchanges"} had an answer of the API`;
  }
  if (judged >= sent) {
    return coverage;
  }
  const missing = countMissingExchanges(groups);
  const reasons = [
    ...(brokenOff > 0 ? [describeBrokenOff(brokenOff)] : []),
    ...(unanswered > 0 ? [`${formatGrouped(unanswered)} had no answer to check`] : []),
    ...(thinnedOut > 0
      ? [`${countWithWas(thinnedOut)} left out at random because the files were full, or filled too fast`]
      : []),
    ...(lost > 0 ? [`${countWithWas(lost)} not stored because the recorder could not keep up`] : []),
    ...(missing > 0 ? [`${formatGrouped(missing)} ${missing === 1 ? "is" : "are"} not on the disk`] : []),
  ];
  return `${coverage} completely (${formatPercent(judged, sent)}); ${reasons.join(", ")}`;
}
