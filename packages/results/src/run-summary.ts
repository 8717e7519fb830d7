import type { RunOutcome } from "./outcome.ts";
import type { IncompleteReason } from "./run-result.ts";
import type { VerdictOutcome } from "./verdict.ts";

/** What the summary sentence may speak of. */
export interface OutcomeFacts {
  readonly counts: Readonly<Record<VerdictOutcome, number>>;
  readonly incomplete: readonly IncompleteReason[];
  /** Ids of the rules whose verdict makes the run fail. */
  readonly broken: readonly string[];
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

const held = ({ counts }: OutcomeFacts): string => {
  const others: readonly (readonly [number, string])[] = [
    [counts.warned, counts.warned === 1 ? "warns" : "warn"],
    [counts["not-observed"], "had no opportunity"],
    [counts["not-applicable"], counts["not-applicable"] === 1 ? "does not apply" : "do not apply"],
    [counts["could-not-run"], "could not run"],
  ];
  const parts = others.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  const holding = `${rules(counts.passed)} ${counts.passed === 1 ? "holds" : "hold"} on what was seen`;
  return [holding, ...parts].join(", ");
};

const violated = ({ broken, counts }: OutcomeFacts): string => {
  const judged = counts.passed + counts.failed + counts.warned;
  return `${broken.length} of ${rules(judged)} ${broken.length === 1 ? "is" : "are"} violated: ${listed(broken)}`;
};

const reasons = ({ incomplete }: OutcomeFacts): string => {
  const [first, ...rest] = incomplete;
  const more = rest.length > 0 ? ` (${rest.length} more ${rest.length === 1 ? "reason" : "reasons"})` : "";
  return `${first?.message ?? "no reason was recorded"}${more}`;
};

const sentences: Readonly<Record<RunOutcome, (facts: OutcomeFacts) => string>> = {
  passed: held,
  failed: (facts) =>
    facts.incomplete.length > 0 ? `${violated(facts)}; also incomplete: ${reasons(facts)}` : violated(facts),
  incomplete: (facts) => `conformance is not decided: ${reasons(facts)}`,
  "usage-error": ({ usageError }) => usageError ?? "wrong usage",
  "harness-error": ({ harnessError }) =>
    `a bug in the harness, not in the target: ${harnessError ?? "no cause was recorded"}`,
  interrupted: (facts) => `interrupted by ${facts.interrupted ?? "a signal"}; what was judged so far: ${held(facts)}`,
  "performance-failed": (facts) => `a performance threshold was missed or a regression was shown; ${held(facts)}`,
  "performance-inconclusive": (facts) =>
    `the performance comparison is inconclusive although a decision was asked for; ${held(facts)}`,
  "cleanup-incomplete": (facts) =>
    `${held(facts)}, but not everything created was removed: ${facts.cleanupFailure ?? "no detail was recorded"}`,
};

/** The sentence that says an outcome, without a full stop. */
export const sentenceOf = (outcome: RunOutcome, facts: OutcomeFacts): string => sentences[outcome](facts);
