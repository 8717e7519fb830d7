import { closestName, isRuleId, retiredRules, ruleIds, ruleRecord, retirementReason } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { nearestRule } from "../plan/nearest-rule.ts";
import type { KnownFinding } from "./known-finding.ts";
import { quoted } from "./quoted.ts";
import type { Read } from "./target-pattern.ts";

/** What a word of a list means. */
export interface KnownRules {
  /** The rules it stands for that can fail; at least one. */
  readonly rules: readonly RuleId[];
  /** Which of the findings of its one rule it excuses [all: they are of one kind]. */
  readonly finding?: KnownFinding;
}

const seeList = "`assay list` shows all rules";

/** Rules that only report new values never fail, so there is nothing to know of them. */
const canFail = (id: RuleId): boolean => ruleRecord(id).basis !== "observed";

/** Why a rule cannot be listed without one of its findings, and what to write; nothing for a rule with one kind of them. */
const manyKinds = (id: RuleId, word: string): string | undefined => {
  const { codes } = ruleRecord(id);
  const named = codes.slice(0, 4).map((code) => `\`${id}:${code}\``);
  const more = codes.length > named.length ? ` and ${codes.length - named.length} more` : "";
  const what = word === id ? quoted(word) : `${quoted(word)} stands for \`${id}\`, which`;
  return codes.length === 0
    ? undefined
    : `${what} has several kinds of findings; name the one that is known, such as ${named.join(", ")}${more}, with its argument in brackets if it has one: \`verdicts.json\` of a run tells both, as \`code\` and \`argument\``;
};

const readBeginning = (beginning: string): Read<KnownRules> => {
  const begun = ruleIds.filter((id) => id.startsWith(beginning));
  const failing = begun.filter(canFail);
  if (begun.length === 0) {
    return { mistake: `no rule begins with ${quoted(beginning)}; ${seeList}` };
  }
  if (/^[^/]*\/?$/u.test(beginning)) {
    const which = beginning === "" ? "every rule" : "every rule of an interface";
    return { mistake: `${quoted(`${beginning}*`)} stands for ${which}; name those that fail` };
  }
  if (failing.length === 0) {
    return { mistake: `${quoted(`${beginning}*`)} stands only for rules that report and never fail; remove the line` };
  }
  const mistake = failing.map((id) => manyKinds(id, `${beginning}*`)).find((found) => found !== undefined);
  return mistake === undefined ? { value: { rules: failing } } : { mistake };
};

/**
 * Why a word means only rules that were in the catalogue and are gone, one sentence; nothing for any other word. What is
 * no longer judged cannot fail: a list that still names it needs no change.
 */
export const retiredNote = (word: string): string | undefined => {
  if (!word.endsWith("*")) {
    const why = retirementReason(word.replace(/:.*/u, ""));
    return why === undefined ? undefined : `the rule ${quoted(word)} is gone, since ${why}; remove the line`;
  }
  const beginning = word.slice(0, -1);
  const isGone = (id: string): boolean => id.startsWith(beginning);
  return /\/./u.test(beginning) && Object.keys(retiredRules).some(isGone) && !ruleIds.some(isGone)
    ? `all rules that begin with ${quoted(beginning)} are gone; remove the line`
    : undefined;
};

const unknownRule = (word: string): Read<KnownRules> => {
  const near = nearestRule(word);
  const hint = near === undefined ? "" : `did you mean \`${near}\`? `;
  return { mistake: `there is no rule ${quoted(word)}; ${hint}${seeList}` };
};

/** One finding of a rule: `code`, or `code(argument,argument)`. */
const readFinding = (id: RuleId, text: string): Read<KnownRules> => {
  const [, code = "", , list] = /^([A-Za-z0-9-]+)(\(([^()]+)\))?$/u.exec(text) ?? [];
  const { codes } = ruleRecord(id);
  if (codes.length === 0) {
    return { mistake: `\`${id}\` has one kind of finding; write it without ${quoted(`:${text}`)}` };
  }
  if (codes.includes(code)) {
    return { value: { rules: [id], finding: { code, arguments: list?.split(",") ?? [] } } };
  }
  const near = closestName(code, codes);
  const hint = near === undefined ? "" : `did you mean \`${id}:${near}\`? `;
  return { mistake: `\`${id}\` has no finding ${quoted(text)}; ${hint}it is one of ${codes.join(", ")}` };
};

const readOne = (word: string): Read<KnownRules> => {
  const [id = "", ...finding] = word.split(":");
  if (!isRuleId(id)) {
    return unknownRule(word);
  }
  if (!canFail(id)) {
    return { mistake: `${quoted(id)} reports new values and never fails; remove the line` };
  }
  if (finding.length > 0) {
    return readFinding(id, finding.join(":"));
  }
  const mistake = manyKinds(id, word);
  return mistake === undefined ? { value: { rules: [id] } } : { mistake };
};

/**
 * What a word means: a rule by its id; one finding of a rule, by its code after a colon and, in brackets, the arguments it
 * may have; or all rules that begin as the word does when a `*` is at its end; of these only the ones that can fail. A
 * mistake is told for an unknown id or code, with the nearest one, for a pattern that means none or all, and for a rule with
 * several kinds of findings of which none is named.
 */
export const readRule = (word: string): Read<KnownRules> => {
  const [id = ""] = word.split(":");
  if (id.slice(0, -1).includes("*")) {
    return { mistake: `the rule ${quoted(word)} has a \`*\` that is not at its end; only the end may be left open` };
  }
  return word.endsWith("*") && word === id ? readBeginning(id.slice(0, -1)) : readOne(word);
};
