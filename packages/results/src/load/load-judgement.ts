import { defined } from "@assay/contract";
import type { RuleStanding } from "../rule-standing.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";
import type { LoadArm } from "./load-plan.ts";

/** What became of the exchanges of one kind. The counts below `sent` add up to it, but for what was under way when k6 was killed. */
export interface JudgedGroup {
  readonly group: "search" | "conversation";
  readonly sent: number;
  /** Came whole, and were judged by all rules that need one exchange, or the history of one conversation. */
  readonly judged: number;
  /** Broke off on their way (the connection, a deadline, a limit, the end of the run), and were judged as far as they came. */
  readonly brokenOff: number;
  /** Nothing came back, or nothing of the API, so there was nothing to judge. */
  readonly unanswered: number;
  /** Left out at random, because the files were full or filled too fast; what was judged is a fair sample. */
  readonly thinnedOut: number;
  /** Not kept, because the recorder could not keep up. */
  readonly lost: number;
}

/** Kinds of exchanges, in the order in which they are told. */
export const judgedGroups = ["search", "conversation"] as const;

/** Whether a rule that is violated under load is violated without it. */
export type LoadDependence = "under-load" | "without-load-too" | "unknown";

/** A rule that exchanges of the load violate. */
export interface BrokenRule {
  readonly rule: string;
  readonly title: string;
  /** The target that violates it, in a comparison of two; a rule that both violate stands there twice. */
  readonly arm?: LoadArm;
  /** Violations in what was judged. */
  readonly violations: number;
  readonly message: string;
  /** The first that was kept: its id, and when it began in seconds of the run. */
  readonly exchange: string;
  /** Of a merge, the run that the exchange is in. */
  readonly run?: string;
  readonly atSeconds: number;
  readonly phase: "warmup" | "measure";
  readonly query: string;
  /** Requests on their way then, and those that began in the second before. */
  readonly inFlight: number;
  readonly ratePerSecond: number;
  readonly dependence: LoadDependence;
}

/** How rules can fare in a load, the word that decides in a merge first: what one part has shown stands for all of them. */
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

/** How a rule fared in a load: as in any run, or `compares-searches`, which takes more than one exchange and is left to the judges beside the load. */
export type LoadRuleOutcome = (typeof loadRuleOutcomes)[number];

/** What came of one rule in a load. */
export interface LoadRule {
  readonly rule: string;
  readonly outcome: LoadRuleOutcome;
  /** Of a rule that holds: on a sample of the exchanges it would have failed, had the target ignored its requirements. */
  readonly confirmed?: true;
  /** What it warns of, what kept it from running, why it was not observed, one sentence. */
  readonly reason?: string;
}

/** A rule that a list of known failures speaks of: it fails or warns as the list says, or holds although the list says otherwise. */
export interface KnownLoadRule extends Pick<BrokenRule, "rule" | "title" | "arm"> {
  readonly known: KnownFailure;
  /** Of one that fails or warns: how often, and what was seen first. */
  readonly violations?: number;
  readonly message?: string;
}

const isAlike = (one: KnownLoadRule, other: KnownLoadRule): boolean => one.rule === other.rule && one.arm === other.arm;

/** What is known of rules in all parts of a load, each rule once for each target; one that fails in a part is not fixed. */
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

/** Which target of a comparison violates a rule, in brackets behind its name; nothing where there is one. */
export const armText = ({ arm }: Pick<BrokenRule, "arm">): string =>
  arm === undefined ? "" : ` (${arm === "a" ? "first" : "second"} target)`;

const rankOf = ({ outcome }: LoadRule): number => loadRuleOutcomes.indexOf(outcome);

/** What a rule came to in two parts of a load, whichever is first. */
function mergedLoadRule(one: LoadRule, other: LoadRule): LoadRule {
  if (rankOf(one) !== rankOf(other)) {
    return rankOf(one) < rankOf(other) ? one : other;
  }
  const { rule, outcome } = one;
  const [reason] = [one.reason, other.reason].filter((each) => each !== undefined).toSorted();
  // What one part has proven is not said of another one's.
  const isProven = one.confirmed === true && other.confirmed === true;
  return { rule, outcome, ...(isProven ? { confirmed: true } : {}), ...defined({ reason }) };
}

/** What rules came to in all parts of a load, in the order of the first part that has them. A rule is broken where it is in one part. */
export function mergedLoadRules(parts: readonly (readonly LoadRule[])[]): readonly LoadRule[] {
  const merged = new Map<string, LoadRule>();
  for (const rule of parts.flat()) {
    const before = merged.get(rule.rule);
    merged.set(rule.rule, before === undefined ? rule : mergedLoadRule(before, rule));
  }
  return [...merged.values()];
}

/** What all rules say of the exchanges of a load. */
export interface LoadJudgement {
  readonly groups: readonly JudgedGroup[];
  /** Every rule about what the scenario asks, in the order of the catalogue. */
  readonly rules: readonly LoadRule[];
  /** Those of them that failed, and are not known to. */
  readonly broken: readonly BrokenRule[];
  /** Those that a list of known failures speaks of; absent without any. */
  readonly known?: readonly KnownLoadRule[];
  /** What is wrong with the lists of known failures, a sentence each: any of them fails the run; absent without any. */
  readonly knownFailureMistakes?: readonly string[];
  /** Known failures of the tool's own lists that did not show, a sentence each; absent without any. */
  readonly knownFailureNotes?: readonly string[];
  /** Why nothing can be said of streams or of conversations, although something came: none of the searches or calls of a target was answered by the API. */
  readonly notTheApi?: IncompleteReason;
  /**
   * How often something else answered although the API answered other searches, or other calls, such as a page to log in where a session
   * ended on the way. No rule is about such answers, and they count as unanswered.
   */
  readonly notAlwaysTheApi?: IncompleteReason;
  /** Versions of HTTP in which answers came, such as `1.1`; absent where they are not known. */
  readonly httpVersions?: readonly string[];
  /** What an alert said that answered a search without load, on one line; absent without any. */
  readonly alert?: string;
  /** Searches and calls about conversations that were sent before and after the load, to tell what only breaks under it. */
  readonly unloaded: number;
  /** One sentence: how many of all were judged. */
  readonly sentence: string;
  /** Of the files, and what they may hold. */
  readonly keptBytes: number;
  readonly capBytes: number;
  /** Why not everything could be kept or read, requirements. */
  readonly problems: readonly string[];
}

const someOf = <T>(all: Iterable<T>): readonly T[] | undefined => {
  const distinct = [...new Set(all)];
  return distinct.length === 0 ? undefined : distinct;
};

/** The members of a judgement that lists of known failures add to it; each sentence once, and no member without any. */
export const whatIsKnown = (
  told: Required<Pick<LoadJudgement, "known" | "knownFailureMistakes" | "knownFailureNotes">>,
): Pick<LoadJudgement, "known" | "knownFailureMistakes" | "knownFailureNotes"> =>
  defined({
    known: someOf(told.known),
    knownFailureMistakes: someOf(told.knownFailureMistakes),
    knownFailureNotes: someOf(told.knownFailureNotes),
  });

/** Whether anything came that could be judged; without it, rules say nothing. */
export const isAnythingJudged = ({ groups }: Pick<LoadJudgement, "groups">): boolean =>
  groups.some(({ judged, brokenOff }) => judged > 0 || brokenOff > 0);

/** Whether every exchange was judged, each of them whole; not where there was none. */
export const isJudgedWhole = ({ groups, problems }: Pick<LoadJudgement, "groups" | "problems">): boolean =>
  groups.length > 0 && groups.every(({ sent, judged }) => judged >= sent) && problems.length === 0;

const number = new Intl.NumberFormat("en-GB");

/** Never all or nothing of what is neither. */
function share(part: number, whole: number): string {
  const rounded = Math.round((part / whole) * 1000) / 10;
  return `${part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, rounded)) : rounded} %`;
}

const brokenOffText = (count: number): string =>
  count === 1
    ? "1 broke off and was checked up to that point"
    : `${number.format(count)} broke off and were checked up to that point`;

const were = (count: number): string => `${number.format(count)} ${count === 1 ? "was" : "were"}`;

/** How many were kept, and are not on the disk any more: files that were cut or damaged. */
export const missingExchanges = (groups: readonly JudgedGroup[]): number =>
  groups.reduce(
    (sum, { sent, judged, brokenOff, unanswered, thinnedOut, lost }) =>
      sum + sent - judged - brokenOff - unanswered - thinnedOut - lost,
    0,
  );

/** The sentence of a judgement: how many of all exchanges were judged, and why not the others. */
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
