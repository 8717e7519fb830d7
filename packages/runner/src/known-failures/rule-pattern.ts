import { isRuleId, retiredRules, ruleIds, ruleRecord, whyRetired } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { nearestRule } from "../plan/nearest-rule.ts";
import { quoted } from "./quoted.ts";
import type { Read } from "./target-pattern.ts";

const seeList = "`assay list` shows all rules";

/** Rules that only report new values never fail, so there is nothing to know of them. */
const canFail = (id: RuleId): boolean => ruleRecord(id).basis !== "observed";

const readBeginning = (beginning: string): Read<readonly RuleId[]> => {
  const begun = ruleIds.filter((id) => id.startsWith(beginning));
  const failing = begun.filter(canFail);
  if (begun.length === 0) {
    return { mistake: `no rule begins with ${quoted(beginning)}; ${seeList}` };
  }
  if (/^[^/]*\/?$/u.test(beginning)) {
    const which = beginning === "" ? "every rule" : "every rule of an interface";
    return { mistake: `${quoted(`${beginning}*`)} stands for ${which}; name those that fail` };
  }
  return failing.length === 0
    ? { mistake: `${quoted(`${beginning}*`)} stands only for rules that report and never fail; remove the line` }
    : { value: failing };
};

/**
 * Why a word means only rules that were in the catalogue and are gone, one sentence; nothing for any other word. What is
 * no longer judged cannot fail: a list that still names it needs no change.
 */
export const retiredNote = (word: string): string | undefined => {
  if (!word.endsWith("*")) {
    const why = whyRetired(word);
    return why === undefined ? undefined : `the rule ${quoted(word)} is gone, since ${why}; remove the line`;
  }
  const beginning = word.slice(0, -1);
  const isGone = (id: string): boolean => id.startsWith(beginning);
  return /\/./u.test(beginning) && Object.keys(retiredRules).some(isGone) && !ruleIds.some(isGone)
    ? `all rules that begin with ${quoted(beginning)} are gone; remove the line`
    : undefined;
};

const unknownRule = (word: string): Read<readonly RuleId[]> => {
  const near = nearestRule(word);
  const hint = near === undefined ? "" : `did you mean \`${near}\`? `;
  return { mistake: `there is no rule ${quoted(word)}; ${hint}${seeList}` };
};

/**
 * The rules that a word means: one by its id, or all that begin as the word does when a `*` is at its end; of these only
 * the ones that can fail. A mistake is told for an unknown id, with the nearest one, and for a pattern that means none or all.
 */
export const readRule = (word: string): Read<readonly RuleId[]> => {
  if (word.slice(0, -1).includes("*")) {
    return { mistake: `the rule ${quoted(word)} has a \`*\` that is not at its end; only the end may be left open` };
  }
  if (word.endsWith("*")) {
    return readBeginning(word.slice(0, -1));
  }
  if (!isRuleId(word)) {
    return unknownRule(word);
  }
  return canFail(word)
    ? { value: [word] }
    : { mistake: `${quoted(word)} reports new values and never fails; remove the line` };
};
