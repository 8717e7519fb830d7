import { exitCodes } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { cellName, cellProse } from "./markdown-text.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";

/** The result of a run against the reference server with one fault. */
export interface KillMatrixRow {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** The rule that must fail. Absent for a fault that does not violate a rule. */
  readonly attacks?: string;
  /** The rules that failed, in any order. */
  readonly failedRules: readonly string[];
  readonly exitCode: number;
  readonly notes?: string;
}

const nothing = "–";

const name = (text: string): string => cellName(shownText(text, "name"));
const names = (texts: readonly string[]): string => (texts.length === 0 ? nothing : texts.map(name).join(", "));

const isKilled = ({ attacks, failedRules }: KillMatrixRow): boolean =>
  attacks !== undefined && failedRules.includes(attacks);

/** The fault with its parameters, such as `stall seconds=3`. */
const mutantOf = ({ fault, parameters }: KillMatrixRow): string => [fault, ...settingsOf(parameters)].join(" ");

const settingsOf = (parameters: KillMatrixRow["parameters"]): readonly string[] =>
  Object.entries(parameters)
    .map(([key, value]) => `${key}=${value}`)
    .sort();

const endOf = (exitCode: number): string => {
  const row = exitCodes.find(({ code }) => code === exitCode);
  return row === undefined ? String(exitCode) : `${outcomeWords[row.outcome].word} (${exitCode})`;
};

const killedBy = (row: KillMatrixRow): string => {
  const { attacks } = row;
  if (attacks === undefined) {
    return nothing;
  }
  return isKilled(row) ? name(attacks) : "**nothing: it survives**";
};

const rowOf = (row: KillMatrixRow): readonly string[] => {
  const { fault, parameters, attacks, failedRules, exitCode, notes = "" } = row;
  const others = [...new Set(failedRules)].filter((rule) => rule !== attacks).sort();
  return [
    name(fault),
    names(settingsOf(parameters)),
    attacks === undefined ? nothing : name(attacks),
    killedBy(row),
    names(others),
    endOf(exitCode),
    cellProse(shownText(notes)),
  ];
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(" | ")} |`,
  `|${head.map(() => "---").join("|")}|`,
  ...rows.map((cells) => `| ${cells.join(" | ")} |`),
];

const ruleRow = (rule: string, rows: readonly KillMatrixRow[]): readonly string[] => {
  const mutants = rows.filter(({ attacks }) => attacks === rule);
  const others = rows.filter(({ attacks, failedRules }) => attacks !== rule && failedRules.includes(rule));
  const surviving = mutants.filter((row) => !isKilled(row));
  return [
    name(rule),
    mutants.length === 0 ? "**none**" : names(mutants.filter(isKilled).map(mutantOf)),
    names(surviving.map(mutantOf)),
    names(others.map(mutantOf)),
  ];
};

const sumOf = (rows: readonly KillMatrixRow[], rules: readonly string[]): string => {
  const mutants = rows.filter(({ attacks }) => attacks !== undefined);
  const killed = mutants.filter(isKilled).length;
  const bare = rules.filter((rule) => !mutants.some(({ attacks }) => attacks === rule)).length;
  return [
    `${counted(mutants.length, "mutant")} of ${counted(rules.length - bare, "rule")}`,
    `${killed} killed`,
    `${mutants.length - killed} surviving`,
    `${counted(bare, "rule")} without a mutant`,
    `${counted(rows.length - mutants.length, "fault")} that attack${rows.length - mutants.length === 1 ? "s" : ""} no rule`,
  ].join(", ");
};

/**
 * Renders the kill matrix as Markdown: a table of faults with the rule that each attacks, whether that rule killed it, other rules that
 * failed, and the outcome; and a table of rules with their mutants. Rows keep their order. Rules are in the order of `rules` [none], then
 * other rules by name. The same rows yield the same bytes, and their text is never markup.
 */
export const renderKillMatrix = (rows: readonly KillMatrixRow[], rules: readonly string[] = []): string => {
  const named = rows.flatMap(({ attacks, failedRules }) =>
    attacks === undefined ? failedRules : [attacks, ...failedRules],
  );
  const all = [...new Set([...rules, ...named.toSorted()])];
  const faultHead = ["Fault", "Parameters", "Attacks", "Killed by", "Also failed", "Ended", "Notes"];
  const ruleHead = ["Rule", "Mutants it kills", "Mutants it misses", "Also fails at"];
  return terminalText([
    "# Kill matrix",
    "",
    `${sumOf(rows, all)}.`,
    "",
    "## Faults",
    "",
    ...table(faultHead, rows.map(rowOf)),
    "",
    "## Rules",
    "",
    ...table(
      ruleHead,
      all.map((rule) => ruleRow(rule, rows)),
    ),
  ]);
};
