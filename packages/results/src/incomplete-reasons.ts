import type { IncompleteReason } from "./run-result.ts";
import { ruleStanding } from "./rule-standing.ts";
import type { BlockedBy, RuleVerdict } from "./verdict.ts";

const namedRules = 3;

const listed = (verdicts: readonly RuleVerdict[]): string => {
  const names = verdicts.slice(0, namedRules).map(({ rule }) => rule);
  const more = verdicts.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
};

const wasTested = ({ verdict }: RuleVerdict): boolean =>
  verdict.outcome === "passed" || verdict.outcome === "failed" || verdict.outcome === "warned";

/** What blocked a rule, unless a failure that is not known outranks it. */
const blockOf = (rule: RuleVerdict): { readonly blockedBy: BlockedBy; readonly missing: string } | undefined => {
  const { verdict } = rule;
  if (verdict.outcome === "blocked") {
    return verdict;
  }
  return verdict.outcome === "failed" && ruleStanding(rule) === "known-failure" ? verdict.partlyBlocked : undefined;
};

const moreReasons = (count: number): string =>
  count === 0 ? "" : ` (and ${count} more such ${count === 1 ? "reason" : "reasons"})`;

const blockedReason = (verdicts: readonly RuleVerdict[], code: "transport" | "limit"): readonly IncompleteReason[] => {
  const missing = new Set<string>();
  const blocked = verdicts.filter((rule) => {
    const block = blockOf(rule);
    const isBlocked = block?.blockedBy === code;
    if (isBlocked) {
      missing.add(block.missing);
    }
    return isBlocked;
  });
  const [first] = missing;
  if (first === undefined) {
    return [];
  }
  const others = moreReasons(missing.size - 1);
  return [{ code, message: `blocked: ${listed(blocked)}: ${first}${others}` }];
};

/** Why a rule was not tested or does not apply. */
const reasonOf = ({ verdict }: RuleVerdict): string | undefined => {
  if (verdict.outcome === "blocked") {
    return verdict.blockedBy === "prerequisite" ? verdict.missing : undefined;
  }
  return verdict.outcome === "not-tested" || verdict.outcome === "not-applicable" ? verdict.reason : undefined;
};

const mustTestReason = (verdicts: readonly RuleVerdict[]): readonly IncompleteReason[] => {
  const unseen = verdicts.filter((verdict) => verdict.mustTest && !wasTested(verdict));
  const [why, ...others] = new Set(unseen.flatMap((rule) => reasonOf(rule) ?? []));
  const because = why === undefined ? "" : `: ${why}${moreReasons(others.length)}`;
  const message = `the profile requires rules that were not tested: ${listed(unseen)}${because}`;
  return unseen.length === 0 ? [] : [{ code: "must-test", message }];
};

/** That no rule was tested, with the reason if it is the same for all rules. */
const nothingReason = (verdicts: readonly RuleVerdict[]): IncompleteReason => {
  const [reason, ...others] = new Set(verdicts.map(reasonOf));
  const why = reason === undefined || others.length > 0 ? "" : `: ${reason}`;
  return { code: "nothing-observed", message: `no rule could be tested with what the target sent${why}` };
};

/**
 * Why the verdicts leave a run incomplete: no rule was selected; no rule was tested; a rule with `mustTest` was not tested; transport or a
 * limit blocked a rule, or a part of the evidence of a known failure. A missing prerequisite alone is no reason. Empty if the verdicts
 * decide the run.
 */
export const incompleteReasonsOf = (verdicts: readonly RuleVerdict[]): readonly IncompleteReason[] => {
  if (verdicts.length === 0) {
    return [{ code: "empty-selection", message: "no rule was selected; select at least one" }];
  }
  const nothing: readonly IncompleteReason[] = verdicts.some(wasTested) ? [] : [nothingReason(verdicts)];
  return [
    // Causes come before their consequences: the first reason is always shown.
    ...blockedReason(verdicts, "transport"),
    ...blockedReason(verdicts, "limit"),
    ...nothing,
    ...mustTestReason(verdicts),
  ];
};
