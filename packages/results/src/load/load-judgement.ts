import { defined, type LoadSide } from "@assay/contract";
import type { RuleStanding } from "../rule-standing.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";

/** Counts of the exchanges of one kind. Those below `sent` add up to it, except for exchanges in flight when k6 was killed. */
export interface JudgedGroup {
  readonly group: "search" | "conversation";
  readonly sent: number;
  /** Complete, and judged by all rules that need one exchange or the history of one conversation. */
  readonly judged: number;
  /** Broke off (connection, deadline, limit, end of the run), and judged up to that point. */
  readonly brokenOff: number;
  /** No answer, or none of the API, so there was nothing to judge. */
  readonly unanswered: number;
  /** Left out at random, because the files were full or filled too fast; the judged ones are a fair sample. */
  readonly thinnedOut: number;
  /** Not stored, because the recorder could not keep up. */
  readonly lost: number;
}

/** Kinds of exchanges, in the order of reports. */
export const judgedGroups = ["search", "conversation"] as const;

/** Whether a rule that failed under load fails without load. */
export type LoadDependence = "under-load" | "without-load-too" | "unknown";

/** A rule that failed on exchanges of the load. */
export interface BrokenRule {
  readonly rule: string;
  readonly title: string;
  /** In a comparison, the target on which it failed; a rule that failed on both is listed twice. */
  readonly side?: LoadSide;
  /** Violations in the judged exchanges. */
  readonly violations: number;
  readonly message: string;
  /** Id of the first violating exchange; it began `atSeconds` after the start of the run. */
  readonly exchange: string;
  /** In a merge, the run of the exchange. */
  readonly run?: string;
  readonly atSeconds: number;
  readonly phase: "warmup" | "measure";
  readonly query: string;
  /** Requests in flight then, and requests that began in the second before. */
  readonly inFlight: number;
  readonly ratePerSecond: number;
  readonly dependence: LoadDependence;
}

/** Outcomes of rules in a load. In a merge the first in this order that occurs in any part decides. */
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

/** The outcome of a rule in a load: as in any run, or `compares-searches`: it needs several exchanges and is left to the canary. */
export type LoadRuleOutcome = (typeof loadRuleOutcomes)[number];

export interface LoadRule {
  readonly rule: string;
  readonly outcome: LoadRuleOutcome;
  /** Present if the pass is confirmed on a sample of the exchanges. */
  readonly confirmed?: true;
  /** The warning, what blocked the rule, or why it was not tested, one sentence. */
  readonly reason?: string;
}

/** A rule in a list of known failures: it failed or warned as listed, or passed although it is listed. */
export interface KnownLoadRule extends Pick<BrokenRule, "rule" | "title" | "side"> {
  readonly known: KnownFailure;
  /** If it failed or warned: how often, and the first finding. */
  readonly violations?: number;
  readonly message?: string;
}

const isAlike = (one: KnownLoadRule, other: KnownLoadRule): boolean =>
  one.rule === other.rule && one.side === other.side;

/** Merges the known failures of all parts of a load: each rule once for each target. A rule that failed in a part is not fixed. */
export function mergedKnownRules(parts: readonly (readonly KnownLoadRule[])[]): readonly KnownLoadRule[] {
  const all = parts.flat();
  return all.flatMap((one, index) => {
    if (all.findIndex((other) => isAlike(one, other)) < index) {
      return [];
    }
    const own = all.filter((other) => isAlike(one, other));
    const failing = own.filter(({ known }) => known.status === "known-failure");
    const violations = failing.reduce((sum, each) => sum + (each.violations ?? 0), 0);
    return [failing[0] === undefined ? one : { ...failing[0], violations }];
  });
}

/** The target of a comparison on which a rule failed, in brackets; empty if there is one target. */
export const sideText = ({ side }: Pick<BrokenRule, "side">): string => (side === undefined ? "" : ` (${side})`);

const rankOf = ({ outcome }: LoadRule): number => loadRuleOutcomes.indexOf(outcome);

/** Merges the outcomes of a rule in two parts of a load, in any order. */
function mergedLoadRule(one: LoadRule, other: LoadRule): LoadRule {
  if (rankOf(one) !== rankOf(other)) {
    return rankOf(one) < rankOf(other) ? one : other;
  }
  const { rule, outcome } = one;
  const [reason] = [one.reason, other.reason].filter((each) => each !== undefined).toSorted();
  // A confirmation in one part says nothing about the other.
  const isProven = one.confirmed === true && other.confirmed === true;
  return { rule, outcome, ...(isProven ? { confirmed: true } : {}), ...defined({ reason }) };
}

/** Merges the outcomes of rules in all parts of a load, in the order of the first part that has them. A rule that failed in one part failed. */
export function mergedLoadRules(parts: readonly (readonly LoadRule[])[]): readonly LoadRule[] {
  const merged = new Map<string, LoadRule>();
  for (const rule of parts.flat()) {
    const before = merged.get(rule.rule);
    merged.set(rule.rule, before === undefined ? rule : mergedLoadRule(before, rule));
  }
  return [...merged.values()];
}

/** The verdicts of all rules on the exchanges of a load. */
export interface LoadJudgement {
  readonly groups: readonly JudgedGroup[];
  /** Every rule about the requests of the scenario, in the order of the catalogue. */
  readonly rules: readonly LoadRule[];
  /** Rules that failed and are not known failures. */
  readonly broken: readonly BrokenRule[];
  /** Rules in lists of known failures. Absent if there are none. */
  readonly known?: readonly KnownLoadRule[];
  /** Mistakes in the lists of known failures, one sentence each; any of them fails the run. Absent if there are none. */
  readonly knownFailureMistakes?: readonly string[];
  /** Known failures of Assay's own lists that did not occur, one sentence each. Absent if there are none. */
  readonly knownFailureNotes?: readonly string[];
  /** Why streams or conversations could not be judged: the API answered none of the searches or calls of a target, but something else did. */
  readonly notTheApi?: IncompleteReason;
  /**
   * How often something else answered although the API answered other requests, such as a login page after a session expired. No rule
   * judges such responses; they count as unanswered.
   */
  readonly notAlwaysTheApi?: IncompleteReason;
  /** HTTP versions of the responses, such as `1.1`; absent if unknown. */
  readonly httpVersions?: readonly string[];
  /** Text of an alert that answered a search without load, on one line; absent if there was none. */
  readonly alert?: string;
  /** Searches and conversation calls before and after the load, which show what fails only under load. */
  readonly unloaded: number;
  /** How many of all exchanges were judged, one sentence. */
  readonly sentence: string;
  /** Size of the stored exchanges, and its limit. */
  readonly keptBytes: number;
  readonly capBytes: number;
  /** Why not everything could be stored or read, one sentence each. */
  readonly problems: readonly string[];
}

const someOf = <T>(all: Iterable<T>): readonly T[] | undefined => {
  const distinct = [...new Set(all)];
  return distinct.length === 0 ? undefined : distinct;
};

/** The members of a judgement about known failures, merged; each sentence once, empty members absent. */
export const mergedKnownFailures = (
  told: Required<Pick<LoadJudgement, "known" | "knownFailureMistakes" | "knownFailureNotes">>,
): Pick<LoadJudgement, "known" | "knownFailureMistakes" | "knownFailureNotes"> =>
  defined({
    known: someOf(told.known),
    knownFailureMistakes: someOf(told.knownFailureMistakes),
    knownFailureNotes: someOf(told.knownFailureNotes),
  });

/** True if any exchange could be judged. */
export const isAnythingJudged = ({ groups }: Pick<LoadJudgement, "groups">): boolean =>
  groups.some(({ judged, brokenOff }) => judged > 0 || brokenOff > 0);

/** True if every exchange was judged completely, and there was at least one. */
export const isJudgedWhole = ({ groups, problems }: Pick<LoadJudgement, "groups" | "problems">): boolean =>
  groups.length > 0 && groups.every(({ sent, judged }) => judged >= sent) && problems.length === 0;

const number = new Intl.NumberFormat("en-GB");

/** A percentage that rounds neither to 0 nor to 100 % unless it is exact. */
function share(part: number, whole: number): string {
  const rounded = Math.round((part / whole) * 1000) / 10;
  return `${part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, rounded)) : rounded} %`;
}

const brokenOffText = (count: number): string =>
  count === 1
    ? "1 broke off and was checked up to that point"
    : `${number.format(count)} broke off and were checked up to that point`;

const were = (count: number): string => `${number.format(count)} ${count === 1 ? "was" : "were"}`;

/** Number of stored exchanges that are missing on the disk because files were cut or damaged. */
export const missingExchanges = (groups: readonly JudgedGroup[]): number =>
  groups.reduce(
    (sum, { sent, judged, brokenOff, unanswered, thinnedOut, lost }) =>
      sum + sent - judged - brokenOff - unanswered - thinnedOut - lost,
    0,
  );

/** How many of all exchanges were judged, and why the others were not. */
export function judgementSentence(groups: readonly JudgedGroup[]): string {
  const sum = (of: (group: JudgedGroup) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const [sent, judged] = [sum((group) => group.sent), sum((group) => group.judged)];
  const [brokenOff, unanswered] = [sum((group) => group.brokenOff), sum((group) => group.unanswered)];
  const [thinnedOut, lost] = [sum((group) => group.thinnedOut), sum((group) => group.lost)];
  const all = `${number.format(judged)} of ${number.format(sent)} exchanges were checked`;
  if (sent === 0) {
    return "no exchange of the load was stored, so none was checked";
  }
  if (unanswered === sent) {
    return `nothing was checked: none of ${number.format(sent)} ${sent === 1 ? "exchange" : "exchanges"} had an answer of the API`;
  }
  if (judged >= sent) {
    return all;
  }
  const missing = missingExchanges(groups);
  const why = [
    ...(brokenOff > 0 ? [brokenOffText(brokenOff)] : []),
    ...(unanswered > 0 ? [`${number.format(unanswered)} had no answer to check`] : []),
    ...(thinnedOut > 0
      ? [`${were(thinnedOut)} left out at random because the files were full, or filled too fast`]
      : []),
    ...(lost > 0 ? [`${were(lost)} not stored because the recorder could not keep up`] : []),
    ...(missing > 0 ? [`${number.format(missing)} ${missing === 1 ? "is" : "are"} not on the disk`] : []),
  ];
  return `${all} whole (${share(judged, sent)}); ${why.join(", ")}`;
}
