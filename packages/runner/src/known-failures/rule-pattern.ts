import { closestName, isRuleId, listNames, retiredRules, retirementReason, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { findNearestRule } from "../plan/nearest-rule.ts";
import type { KnownFinding } from "./known-finding.ts";
import { quoteWord } from "./quote-word.ts";
import type { ParseResult } from "./target-pattern.ts";

/** The rules that a word of a list refers to. */
export interface MatchedRules {
  /** The matching rules that can fail. Contains at least one. */
  readonly rules: readonly RuleId[];
  /** The accepted findings of a single rule. Default: all, because they are of one kind. */
  readonly finding?: KnownFinding;
}

const listHint = "`assay list` shows all rules";

/** Reports whether a rule can fail. Rules that only report new values cannot. */
const canFail = (id: RuleId): boolean => ruleRecord(id).basis !== "observed";

/** Returns the mistake of listing a whole rule that has several kinds of findings, or undefined if the rule has one kind. */
const findSeveralKindsMistake = (id: RuleId, word: string): string | undefined => {
  const { codes } = ruleRecord(id);
  const kindNames = listNames(
    codes.map((code) => `\`${id}:${code}\``),
    4,
  );
  const subject = word === id ? quoteWord(word) : `${quoteWord(word)} matches \`${id}\`, which`;
  return codes.length === 0
    ? undefined
    : `${subject} has several kinds of findings; name the known one, such as ${kindNames}, with its argument in brackets if it has one: \`verdicts.json\` of a run has both, as \`code\` and \`argument\``;
};

const readPrefix = (prefix: string): ParseResult<MatchedRules> => {
  const matches = ruleIds.filter((id) => id.startsWith(prefix));
  const failableRules = matches.filter(canFail);
  if (matches.length === 0) {
    return { mistake: `no rule begins with ${quoteWord(prefix)}; ${listHint}` };
  }
  if (/^[^/]*\/?$/u.test(prefix)) {
    const scope = prefix === "" ? "every rule" : "every rule of an interface";
    return { mistake: `${quoteWord(`${prefix}*`)} matches ${scope}; name those that fail` };
  }
  if (failableRules.length === 0) {
    return { mistake: `${quoteWord(`${prefix}*`)} matches only rules that report and never fail; remove the line` };
  }
  const mistake = failableRules
    .map((id) => findSeveralKindsMistake(id, `${prefix}*`))
    .find((clause) => clause !== undefined);
  return mistake === undefined ? { value: { rules: failableRules } } : { mistake };
};

/**
 * Returns a note if a word matches only removed rules, otherwise undefined. This is not a mistake: a removed rule cannot fail, so the
 * list still works.
 */
export const describeRetirement = (word: string): string | undefined => {
  if (!word.endsWith("*")) {
    const reason = retirementReason(word.replace(/:.*/u, ""));
    return reason === undefined
      ? undefined
      : `the rule ${quoteWord(word)} was removed, since ${reason}; remove the line`;
  }
  const prefix = word.slice(0, -1);
  const hasPrefix = (id: string): boolean => id.startsWith(prefix);
  return /\/./u.test(prefix) && Object.keys(retiredRules).some(hasPrefix) && !ruleIds.some(hasPrefix)
    ? `all rules that begin with ${quoteWord(prefix)} were removed; remove the line`
    : undefined;
};

const reportUnknownRule = (word: string): ParseResult<MatchedRules> => {
  const nearestId = findNearestRule(word);
  const hint = nearestId === undefined ? "" : `did you mean \`${nearestId}\`? `;
  return { mistake: `unknown rule ${quoteWord(word)}; ${hint}${listHint}` };
};

/** Parses a finding: `code`, or `code(argument,argument)`. */
const readFinding = (id: RuleId, text: string): ParseResult<MatchedRules> => {
  const [, code = "", , argumentList] = /^([A-Za-z0-9-]+)(\(([^()]+)\))?$/u.exec(text) ?? [];
  const { codes } = ruleRecord(id);
  if (codes.length === 0) {
    return { mistake: `\`${id}\` has one kind of finding; write it without ${quoteWord(`:${text}`)}` };
  }
  if (codes.includes(code)) {
    return { value: { rules: [id], finding: { code, arguments: argumentList?.split(",") ?? [] } } };
  }
  const nearestCode = closestName(code, codes);
  const hint = nearestCode === undefined ? "" : `did you mean \`${id}:${nearestCode}\`? `;
  return { mistake: `\`${id}\` has no finding ${quoteWord(text)}; ${hint}it is one of ${codes.join(", ")}` };
};

const parseSingleRule = (word: string): ParseResult<MatchedRules> => {
  const [id = "", ...finding] = word.split(":");
  if (!isRuleId(id)) {
    return reportUnknownRule(word);
  }
  if (!canFail(id)) {
    return { mistake: `${quoteWord(id)} reports new values and never fails; remove the line` };
  }
  if (finding.length > 0) {
    return readFinding(id, finding.join(":"));
  }
  const mistake = findSeveralKindsMistake(id, word);
  return mistake === undefined ? { value: { rules: [id] } } : { mistake };
};

/**
 * Parses a word as one of:
 *
 * - the id of a rule
 * - a rule id, a colon and the code of a finding, with permitted arguments in parentheses
 * - a prefix followed by `*`, for all rules with the prefix that can fail
 *
 * Mistakes are an unknown id or code, reported with the nearest one; a pattern that matches no rule or all rules; and a rule with several
 * kinds of findings without the code of one.
 */
export const readRule = (word: string): ParseResult<MatchedRules> => {
  const [id = ""] = word.split(":");
  if (id.slice(0, -1).includes("*")) {
    return { mistake: `the rule ${quoteWord(word)} has a \`*\` that is not at its end; a star is allowed only there` };
  }
  return word.endsWith("*") && word === id ? readPrefix(id.slice(0, -1)) : parseSingleRule(word);
};
