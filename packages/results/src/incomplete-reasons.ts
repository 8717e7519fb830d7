import type { IncompleteReason } from "./run-result.ts";
import { ruleStanding } from "./rule-standing.ts";
import type { BlockedBy, RuleVerdict } from "./verdict.ts";

const namedRules = 3;

const listed = (verdicts: readonly RuleVerdict[]): string => {
  const names = verdicts.slice(0, namedRules).map(({ rule }) => rule);
  const more = verdicts.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
};

const wasObserved = ({ verdict }: RuleVerdict): boolean =>
  verdict.outcome === "passed" || verdict.outcome === "failed" || verdict.outcome === "warned";

/** What kept evidence from a rule, where no violation outranks it; one that is known does not. */
const blindnessOf = (rule: RuleVerdict): { readonly blockedBy: BlockedBy; readonly missing: string } | undefined => {
  const { verdict } = rule;
  if (verdict.outcome === "blocked") {
    return verdict;
  }
  return verdict.outcome === "failed" && ruleStanding(rule) === "known-failure" ? verdict.partlyBlocked : undefined;
};

const moreReasons = (count: number): string =>
  count === 0 ? "" : ` (and ${count} more such ${count === 1 ? "reason" : "reasons"})`;

const blindReason = (verdicts: readonly RuleVerdict[], code: "transport" | "limit"): readonly IncompleteReason[] => {
  const missing = new Set<string>();
  const blind = verdicts.filter((rule) => {
    const blindness = blindnessOf(rule);
    const isBlind = blindness?.blockedBy === code;
    if (isBlind) {
      missing.add(blindness.missing);
    }
    return isBlind;
  });
  const [first] = missing;
  if (first === undefined) {
    return [];
  }
  const others = moreReasons(missing.size - 1);
  return [{ code, message: `blocked: ${listed(blind)}: ${first}${others}` }];
};

/** Why a rule was not observed, where it says so. What kept its evidence from it is a reason of its own. */
const absenceOf = ({ verdict }: RuleVerdict): string | undefined => {
  if (verdict.outcome === "blocked") {
    return verdict.blockedBy === "prerequisite" ? verdict.missing : undefined;
  }
  return verdict.outcome === "not-tested" || verdict.outcome === "not-applicable" ? verdict.reason : undefined;
};

const mustTestReason = (verdicts: readonly RuleVerdict[]): readonly IncompleteReason[] => {
  const unseen = verdicts.filter((verdict) => verdict.mustTest && !wasObserved(verdict));
  const [why, ...others] = new Set(unseen.flatMap((rule) => absenceOf(rule) ?? []));
  const because = why === undefined ? "" : `: ${why}${moreReasons(others.length)}`;
  const message = `the profile requires rules that were not tested: ${listed(unseen)}${because}`;
  return unseen.length === 0 ? [] : [{ code: "must-test", message }];
};

/** That nothing was observed; with the reason where all rules have the same, as the only rule of a run has. */
const nothingReason = (verdicts: readonly RuleVerdict[]): IncompleteReason => {
  const [reason, ...others] = new Set(verdicts.map(absenceOf));
  const why = reason === undefined || others.length > 0 ? "" : `: ${reason}`;
  return { code: "nothing-observed", message: `no rule could be tested with what the target sent${why}` };
};

/**
 * The reasons for which verdicts alone leave a run incomplete: no rule selected, no rule observed, a rule of `mustTest`
 * not observed, a rule that transport or a limit kept from its evidence, also from a part of it beside a known failure. A missing prerequisite alone is none. Empty when
 * the verdicts decide the run.
 */
export const incompleteReasonsOf = (verdicts: readonly RuleVerdict[]): readonly IncompleteReason[] => {
  if (verdicts.length === 0) {
    return [{ code: "empty-selection", message: "no rule was selected; select at least one" }];
  }
  const nothing: readonly IncompleteReason[] = verdicts.some(wasObserved) ? [] : [nothingReason(verdicts)];
  return [
    // What kept rules from evidence comes before what follows from it: the first reason is the one that is always shown.
    ...blindReason(verdicts, "transport"),
    ...blindReason(verdicts, "limit"),
    ...nothing,
    ...mustTestReason(verdicts),
  ];
};
