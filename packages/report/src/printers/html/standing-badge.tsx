import { type RuleStanding, ruleStanding, type RuleVerdict } from "@assay/results";
import { counted, groupedNumber } from "../../document/counted.ts";
import { verdictWords } from "../../document/outcome-words.ts";

/**
 * Signs of a page. Narrower than those of the terminal where two standings share one: what was not observed and what could
 * not run differ at a glance.
 */
export const pageSigns: Readonly<Record<RuleStanding, string>> = {
  passed: "✓",
  failed: "✗",
  warned: "~",
  "known-failure": "≈",
  fixed: "✦",
  "not-tested": "?",
  "not-applicable": "–",
  blocked: "!",
};

/** What was seen of a rule, in a word or two: how often it passed, how often it failed; empty where nothing is counted. */
export const seenOf = ({ verdict, proof }: RuleVerdict): string => {
  switch (verdict.outcome) {
    case "passed":
      return `${groupedNumber(verdict.observations)}×${proof === undefined ? "" : ", confirmed"}`;
    case "failed":
    case "warned":
      return counted(verdict.findings.length + verdict.moreFindings, "finding");
    case "not-tested":
    case "not-applicable":
    case "blocked":
      return "";
  }
};

/** Sign and word of a standing. */
export const StandingBadge = ({ standing }: { readonly standing: RuleStanding }) => (
  <span class={`badge s-${standing}`}>
    <i aria-hidden="true">{pageSigns[standing]}</i>
    {verdictWords[standing].word}
  </span>
);

const words = (texts: readonly string[]): string => [...new Set(texts)].join(" ");

/** Attributes by which the filter of the page finds what is shown of some verdicts. */
export const filterKeys = (rules: readonly RuleVerdict[]) => {
  return {
    "data-s": words(rules.flatMap((rule) => [ruleStanding(rule), ...wordsOf(ruleStanding(rule))])),
    "data-i": words(rules.map((rule) => interfaceKey(rule.interface))),
    "data-b": words(rules.map(({ basis }) => basis)),
  };
};

const wordsOf = (standing: RuleStanding): readonly string[] => {
  const word = verdictWords[standing].word.replaceAll(" ", "-");
  return word === standing ? [] : [word];
};

const interfaceKeys: ReadonlySet<string> = new Set(["stream", "legacy", "current", "migration", "reference"]);

/** Interfaces that are not the project's own are found by the text of the page alone. */
const interfaceKey = (name: string): string => (interfaceKeys.has(name) ? name : "other");
