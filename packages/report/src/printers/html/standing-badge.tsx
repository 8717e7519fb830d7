import { type RuleStanding, ruleStanding, type RuleVerdict } from "@assay/results";
import { counted, formatGrouped } from "../../document/counted.ts";
import { verdictWords } from "../../document/outcome-words.ts";

/** Signs of the page. Unlike on the terminal, each standing has its own sign. */
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

/** Formats the count of a verdict. Empty if it has none. */
export const formatRuleCount = ({ verdict, proof }: RuleVerdict): string => {
  switch (verdict.outcome) {
    case "passed":
      return `${formatGrouped(verdict.observations)}×${proof === undefined ? "" : ", confirmed"}`;
    case "failed":
    case "warned":
      return counted(verdict.findings.length + verdict.moreFindings, "finding");
    case "not-tested":
    case "not-applicable":
    case "blocked":
      return "";
  }
};

/** Shows the sign and word of a standing. */
export const StandingBadge = ({ standing }: { readonly standing: RuleStanding }) => (
  <span class={`badge s-${standing}`}>
    <i aria-hidden="true">{pageSigns[standing]}</i>
    {verdictWords[standing].word}
  </span>
);

const joinDistinct = (texts: readonly string[]): string => [...new Set(texts)].join(" ");

/** Returns the attributes by which the filter finds verdicts. */
export const filterAttributes = (rules: readonly RuleVerdict[]) => {
  return {
    "data-s": joinDistinct(rules.flatMap((rule) => [ruleStanding(rule), ...getAdditionalWords(ruleStanding(rule))])),
    "data-i": joinDistinct(rules.map((rule) => filterInterface(rule.interface))),
    "data-b": joinDistinct(rules.map(({ basis }) => basis)),
  };
};

const getAdditionalWords = (standing: RuleStanding): readonly string[] => {
  const word = verdictWords[standing].word.replaceAll(" ", "-");
  return word === standing ? [] : [word];
};

const interfaceKeys: ReadonlySet<string> = new Set(["stream", "legacy", "current", "migration", "reference"]);

/** Returns the interface for the filter. Unknown interfaces are found by text only. */
const filterInterface = (name: string): string => (interfaceKeys.has(name) ? name : "other");
