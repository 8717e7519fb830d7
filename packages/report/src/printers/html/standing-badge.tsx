import { type RuleStanding, ruleStanding, type RuleVerdict } from "@assay/results";
import { counted, groupedNumber } from "../../document/counted.ts";
import { verdictWords } from "../../document/outcome-words.ts";

/**
 * Signs of the page. Unlike on the terminal, each standing has its own sign.
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

/** The count of a verdict, in a word or two; empty if there is none. */
export const countText = ({ verdict, proof }: RuleVerdict): string => {
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

/** Attributes by which the filter finds verdicts. */
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

/** Unknown interfaces are found by text only. */
const interfaceKey = (name: string): string => (interfaceKeys.has(name) ? name : "other");
