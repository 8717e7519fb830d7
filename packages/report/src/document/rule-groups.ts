import { groupBy, toJunitKind, type RuleStanding, ruleStanding, ruleStandings, type RuleVerdict } from "@assay/results";
import { type Sign, verdictWords } from "./outcome-words.ts";

/** Groups rules by interface and operation, in order. */
export const groupByOperation = (verdicts: readonly RuleVerdict[]): readonly (readonly RuleVerdict[])[] =>
  groupBy(verdicts, (rule) => JSON.stringify([rule.interface, rule.operation]));

/** Groups rules by interface, in order. */
export const groupByInterface = (verdicts: readonly RuleVerdict[]): readonly (readonly RuleVerdict[])[] =>
  groupBy(verdicts, (rule) => rule.interface);

/** Returns the word that follows a count of rules. Most words are the same for singular and plural. */
export const getCountWord = (standing: RuleStanding, count: number): string => {
  if (standing === "fixed") {
    return "fixed";
  }
  return standing === "known-failure" && count !== 1 ? "known failures" : verdictWords[standing].word;
};

/** Formats the counts of a group of rules, such as `8 passed, 2 not tested`. */
export const formatCounts = (rules: readonly RuleVerdict[]): string =>
  ruleStandings
    .map((standing) => ({ standing, count: rules.filter((rule) => ruleStanding(rule) === standing).length }))
    .filter(({ count }) => count > 0)
    .map(({ standing, count }) => `${count} ${getCountWord(standing, count)}`)
    .join(", ");

/** Returns the most severe sign of a group: ✓ only if a rule passed and none failed, is a known failure, warned or was blocked. */
export const getMostSevereSign = (rules: readonly RuleVerdict[], strict: boolean): Sign => {
  const kinds = new Set(rules.map((rule) => toJunitKind(rule, strict)));
  if (kinds.has("failure")) {
    return verdictWords.failed.sign;
  }
  if (kinds.has("error")) {
    return verdictWords["blocked"].sign;
  }
  if (kinds.has("warning") || rules.some((rule) => ruleStanding(rule) === "known-failure")) {
    return verdictWords.warned.sign;
  }
  return kinds.has("passed") ? verdictWords.passed.sign : verdictWords["not-tested"].sign;
};
