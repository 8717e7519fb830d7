import type { RunOutcome } from "./outcome.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { IncompleteReason } from "./run-result.ts";

/** What the summary sentence may speak of. */
export interface OutcomeFacts {
  readonly counts: Readonly<Record<RuleStanding, number>>;
  /** How many of the rules that hold are proven able to fail on this evidence; undefined where nobody asked. */
  readonly proven?: number | undefined;
  readonly incomplete: readonly IncompleteReason[];
  /** Ids of the rules whose violation makes the run fail. */
  readonly broken: readonly string[];
  /** Ids of the rules that hold although they are listed as known failures. */
  readonly fixed: readonly string[];
  /** What is wrong with the lists of known failures. */
  readonly mistakes: readonly string[];
  readonly harnessError?: string;
  readonly interrupted?: string;
  readonly usageError?: string;
  readonly cleanupFailure?: string;
}

const namedRules = 3;

const rules = (count: number): string => (count === 1 ? "1 rule" : `${count} rules`);

const listed = (names: readonly string[]): string => {
  const more = names.length - namedRules;
  return [...names.slice(0, namedRules), ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

const held = (facts: OutcomeFacts): string => {
  const { counts } = facts;
  const others: readonly (readonly [number, string])[] = [
    [counts.warned, counts.warned === 1 ? "warns" : "warn"],
    [counts["known-failure"], counts["known-failure"] === 1 ? "fails as known" : "fail as known"],
    [counts["unexpectedly-fixed"], counts["unexpectedly-fixed"] === 1 ? "unexpectedly holds" : "unexpectedly hold"],
    [counts["not-observed"], "had no opportunity"],
    [counts["not-applicable"], counts["not-applicable"] === 1 ? "does not apply" : "do not apply"],
    [counts["could-not-run"], "could not run"],
  ];
  const parts = others.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  const holding = `${rules(counts.passed)} ${counts.passed === 1 ? "holds" : "hold"} on what was seen`;
  const proven = facts.proven === undefined ? [] : [`${facts.proven} proven able to fail here`];
  return [holding, ...proven, ...parts].join(", ");
};

const judgedCount = ({ counts }: OutcomeFacts): number =>
  counts.passed + counts.failed + counts.warned + counts["known-failure"] + counts["unexpectedly-fixed"];

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const violated = (facts: OutcomeFacts): readonly string[] => {
  const { broken } = facts;
  const count = `${broken.length} of ${rules(judgedCount(facts))} ${broken.length === 1 ? "is" : "are"}`;
  return broken.length === 0 ? [] : [`${count} violated: ${listed(broken)}`];
};

/** Which known failures no longer fail, clauses; none without any. */
export const fixedSince = ({ fixed }: Pick<OutcomeFacts, "fixed">): readonly string[] =>
  fixed.length === 0
    ? []
    : [`${plural(fixed.length, "known failure no longer fails", "known failures no longer fail")}: ${listed(fixed)}`];

/** What is wrong with the lists of known failures, clauses; none without a mistake. */
export const mistaken = ({ mistakes }: Pick<OutcomeFacts, "mistakes">): readonly string[] => {
  const [first] = mistakes;
  return first === undefined
    ? []
    : [`${plural(mistakes.length, "mistake", "mistakes")} in the known failures, such as: ${first}`];
};

/** All that makes a run fail, the target's part first. */
const failed = (facts: OutcomeFacts): string =>
  [...violated(facts), ...fixedSince(facts), ...mistaken(facts)].join("; ");

const reasons = ({ incomplete }: OutcomeFacts): string => {
  const [first, ...rest] = incomplete;
  const more = rest.length > 0 ? ` (${rest.length} more ${rest.length === 1 ? "reason" : "reasons"})` : "";
  return `${first?.message ?? "no reason was recorded"}${more}`;
};

const sentences: Readonly<Record<RunOutcome, (facts: OutcomeFacts) => string>> = {
  passed: held,
  failed: (facts) =>
    facts.incomplete.length > 0 ? `${failed(facts)}; also incomplete: ${reasons(facts)}` : failed(facts),
  incomplete: (facts) => `conformance is not decided: ${reasons(facts)}`,
  "usage-error": ({ usageError }) => usageError ?? "wrong usage",
  "harness-error": ({ harnessError }) =>
    `a bug in the harness, not in the target: ${harnessError ?? "no cause was recorded"}`,
  interrupted: (facts) =>
    `interrupted by ${facts.interrupted ?? "a signal"}; what was judged so far: ${[...violated(facts), held(facts)].join("; ")}`,
  "performance-failed": (facts) => `a performance threshold was missed or a regression was shown; ${held(facts)}`,
  "performance-inconclusive": (facts) =>
    `the performance comparison is inconclusive although a decision was asked for; ${held(facts)}`,
  "cleanup-incomplete": (facts) =>
    `${held(facts)}, but not everything created was removed: ${facts.cleanupFailure ?? "no detail was recorded"}`,
};

/** The sentence that says an outcome, without a full stop. */
export const sentenceOf = (outcome: RunOutcome, facts: OutcomeFacts): string => sentences[outcome](facts);
