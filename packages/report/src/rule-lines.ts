import { ruleStanding, type RuleVerdict } from "@assay/results";
import { counted } from "./counted.ts";
import { padded } from "./display-columns.ts";
import { painted, verdictWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { byInterface, byOperation, countsOf, signOf } from "./rule-groups.ts";
import { shownText } from "./shown-text.ts";
import { styledLine, wrapIndented } from "./wrap-text.ts";

const bases = ["stated", "schema", "derived", "inferred", "observed"] as const;

/** What a basis means, in a few words. */
const basisMeaning: Readonly<Record<RuleVerdict["basis"], string>> = {
  stated: "the document says so",
  schema: "the OpenAPI document says so",
  derived: "follows from what the document says",
  inferred: "likely, not promised",
  observed: "values seen so far",
};

/** Columns taken by indent, sign and basis, and by the longest meaning with the space before it. */
const startColumns = 14;
const meaningColumns = 3 + Math.max(...Object.values(basisMeaning).map((meaning) => meaning.length));

const ruleLine = (rule: RuleVerdict, page: Page): readonly string[] => {
  const { sign, word } = verdictWords[ruleStanding(rule)];
  const { verdict } = rule;
  const id = shownText(rule.rule, "name");
  const seen = verdict.outcome === "passed" ? `, ${counted(verdict.observations, "time")}` : "";
  return styledLine(
    {
      plain: `    ${sign} ${id}  ${word}${seen}`,
      styled: `    ${painted(sign, sign, page)} ${id}  ${painted(sign, word, page)}${page.paint.dim(seen)}`,
    },
    page.columns,
  );
};

/** Options of `ruleLines`. */
export interface RuleLinesOptions {
  readonly page: Page;
  readonly strict: boolean;
  /** Whether every rule has its own line below its group. */
  readonly everyRule: boolean;
}

type Layout = RuleLinesOptions & { readonly countColumns: number; readonly explains: boolean };

const groupLines = (basis: RuleVerdict["basis"], group: readonly RuleVerdict[], layout: Layout): readonly string[] => {
  const { page, strict, everyRule, countColumns, explains } = layout;
  const sign = signOf(group, strict);
  const lines = wrapIndented(`${sign} ${basis.padEnd(8)}  ${countsOf(group)}`, {
    columns: page.columns,
    indent: 2,
    hanging: startColumns,
  });
  const [start] = lines;
  const explained = `${painted(sign, padded(start ?? "", startColumns + countColumns), page)}${page.paint.dim(`   ${basisMeaning[basis]}`)}`;
  return [
    ...(explains ? [explained] : lines.map((line) => painted(sign, line, page))),
    ...(everyRule ? group.flatMap((rule) => ruleLine(rule, page)) : []),
  ];
};

/** What the rules of a group have in common: their interface, and where all have the same one, their operation. */
const nameOf = (rules: readonly RuleVerdict[]): string => {
  const operations = new Set(rules.map(({ operation }) => operation));
  const names = [rules[0]?.interface ?? "", ...(operations.size === 1 ? operations : [])];
  return names.map((name) => shownText(name, "name")).join(" · ");
};

const groupOfLines = (rules: readonly RuleVerdict[], layout: Layout): readonly string[] => {
  const heading = `${nameOf(rules)}: ${counted(rules.length, "rule")}`;
  const lines = bases.flatMap((basis) => {
    const group = rules.filter((rule) => rule.basis === basis);
    return group.length === 0 ? [] : groupLines(basis, group, layout);
  });
  return [layout.page.paint.bold(heading), ...lines];
};

/** One line for each basis of each interface (of each operation, where every rule has its line): sign, how many rules hold or do not, and what the basis means. */
export const ruleLines = (verdicts: readonly RuleVerdict[], options: RuleLinesOptions): readonly string[] => {
  const countsOfBasis = (basis: string) => countsOf(verdicts.filter((rule) => rule.basis === basis));
  const countColumns = Math.max(...bases.map((basis) => countsOfBasis(basis).length));
  const explains = startColumns + countColumns + meaningColumns <= options.page.columns;
  const layout = { ...options, countColumns, explains };
  const groups = options.everyRule ? byOperation(verdicts) : byInterface(verdicts);
  return groups.flatMap((rules) => groupOfLines(rules, layout));
};
