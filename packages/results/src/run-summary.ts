import type { RunOutcome } from "./outcome.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { IncompleteReason } from "./run-result.ts";

/** The facts that the summary sentence uses. */
export interface OutcomeFacts {
  readonly counts: Readonly<Record<RuleStanding, number>>;
  readonly incomplete: readonly IncompleteReason[];
  /** Ids of the failed rules that make the run fail. */
  readonly broken: readonly string[];
  /** Ids of the rules that passed although they are listed as known failures. */
  readonly fixed: readonly string[];
  /** Mistakes in the lists of known failures. */
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

/** Such as `184 of 189 rules passed; 3 not tested, 2 not applicable`. Rules that failed have a clause of their own. */
const passed = ({ counts }: OutcomeFacts): string => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return "no rule was tested";
  }
  const others: readonly (readonly [number, string])[] = [
    [counts.warned, "warned"],
    [counts["known-failure"], counts["known-failure"] === 1 ? "known failure" : "known failures"],
    [counts["fixed"], "fixed"],
    [counts["not-tested"], "not tested"],
    [counts["not-applicable"], "not applicable"],
    [counts["blocked"], "blocked"],
  ];
  const parts = others.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  const all = total === 1 ? "1 rule" : `all ${total} rules`;
  const share = counts.passed === total ? all : `${counts.passed} of ${rules(total)}`;
  return [`${share} passed`, ...(parts.length === 0 ? [] : [parts.join(", ")])].join("; ");
};

const testedCount = ({ counts }: OutcomeFacts): number =>
  counts.passed + counts.failed + counts.warned + counts["known-failure"] + counts["fixed"];

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const failedRules = (facts: OutcomeFacts): readonly string[] => {
  const { broken } = facts;
  return broken.length === 0 ? [] : [`${broken.length} of ${rules(testedCount(facts))} failed: ${listed(broken)}`];
};

/** Known failures that no longer fail, as clauses. */
export const fixedClauses = ({ fixed }: Pick<OutcomeFacts, "fixed">): readonly string[] =>
  fixed.length === 0
    ? []
    : [`${plural(fixed.length, "known failure no longer fails", "known failures no longer fail")}: ${listed(fixed)}`];

/** Mistakes in the lists of known failures, as clauses. */
export const mistakeClauses = ({ mistakes }: Pick<OutcomeFacts, "mistakes">): readonly string[] => {
  const [first] = mistakes;
  return first === undefined
    ? []
    : [`${plural(mistakes.length, "mistake", "mistakes")} in the known failures, such as: ${first}`];
};

/** Everything that makes a run fail; failures of the target come first. */
const failed = (facts: OutcomeFacts): string =>
  [...failedRules(facts), ...fixedClauses(facts), ...mistakeClauses(facts)].join("; ");

const reasons = ({ incomplete }: OutcomeFacts): string => {
  const [first, ...rest] = incomplete;
  const more = rest.length > 0 ? ` (${rest.length} more ${rest.length === 1 ? "reason" : "reasons"})` : "";
  return `${first?.message ?? "no reason was recorded"}${more}`;
};

const sentences: Readonly<Record<RunOutcome, (facts: OutcomeFacts) => string>> = {
  passed,
  failed: (facts) =>
    // Reports list the reasons next to the failures.
    facts.incomplete.length > 0
      ? `${failed(facts)}; also incomplete (${plural(facts.incomplete.length, "reason", "reasons")})`
      : failed(facts),
  incomplete: (facts) => `${testedCount(facts) === 0 ? "nothing was tested" : "no verdict"}: ${reasons(facts)}`,
  "usage-error": ({ usageError }) => usageError ?? "wrong usage",
  "harness-error": ({ harnessError }) =>
    `a bug in the harness, not in the target: ${harnessError ?? "no cause was recorded"}`,
  interrupted: (facts) =>
    `interrupted by ${facts.interrupted ?? "a signal"}; so far: ${[...failedRules(facts), passed(facts)].join("; ")}`,
  "performance-failed": (facts) => `a performance threshold was missed or a regression was found; ${passed(facts)}`,
  "performance-inconclusive": (facts) =>
    `the performance comparison is inconclusive although a decision was requested; ${passed(facts)}`,
  "cleanup-incomplete": (facts) =>
    `${passed(facts)}, but not everything created was removed: ${facts.cleanupFailure ?? "no detail was recorded"}`,
};

/** The summary of an outcome, one sentence without a full stop. */
export const sentenceOf = (outcome: RunOutcome, facts: OutcomeFacts): string => sentences[outcome](facts);
