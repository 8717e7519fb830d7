import { exitCodes } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { cellName, cellProse } from "./markdown-text.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "../terminal/terminal-text.ts";

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

const dash = "–";

const formatCell = (text: string): string => cellName(escapeForDisplay(text, "name"));
const formatCellList = (texts: readonly string[]): string =>
  texts.length === 0 ? dash : texts.map(formatCell).join(", ");

const isKilled = ({ attacks, failedRules }: KillMatrixRow): boolean =>
  attacks !== undefined && failedRules.includes(attacks);

/** Returns the fault with its parameters, such as `stall seconds=3`. */
const formatMutant = ({ fault, parameters }: KillMatrixRow): string =>
  [fault, ...formatParameters(parameters)].join(" ");

const formatParameters = (parameters: KillMatrixRow["parameters"]): readonly string[] =>
  Object.entries(parameters)
    .map(([key, value]) => `${key}=${value}`)
    .sort();

const formatOutcome = (exitCode: number): string => {
  const row = exitCodes.find(({ code }) => code === exitCode);
  return row === undefined ? String(exitCode) : `${outcomeWords[row.outcome].word} (${exitCode})`;
};

const formatKiller = (row: KillMatrixRow): string => {
  const { attacks } = row;
  if (attacks === undefined) {
    return dash;
  }
  return isKilled(row) ? formatCell(attacks) : "**nothing: it survives**";
};

const createFaultRow = (row: KillMatrixRow): readonly string[] => {
  const { fault, parameters, attacks, failedRules, exitCode, notes = "" } = row;
  const otherRules = [...new Set(failedRules)].filter((rule) => rule !== attacks).sort();
  return [
    formatCell(fault),
    formatCellList(formatParameters(parameters)),
    attacks === undefined ? dash : formatCell(attacks),
    formatKiller(row),
    formatCellList(otherRules),
    formatOutcome(exitCode),
    cellProse(escapeForDisplay(notes)),
  ];
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(" | ")} |`,
  `|${head.map(() => "---").join("|")}|`,
  ...rows.map((cells) => `| ${cells.join(" | ")} |`),
];

const createRuleRow = (rule: string, rows: readonly KillMatrixRow[]): readonly string[] => {
  const mutants = rows.filter(({ attacks }) => attacks === rule);
  const otherFaults = rows.filter(({ attacks, failedRules }) => attacks !== rule && failedRules.includes(rule));
  const survivors = mutants.filter((row) => !isKilled(row));
  return [
    formatCell(rule),
    mutants.length === 0 ? "**none**" : formatCellList(mutants.filter(isKilled).map(formatMutant)),
    formatCellList(survivors.map(formatMutant)),
    formatCellList(otherFaults.map(formatMutant)),
  ];
};

const formatSummary = (rows: readonly KillMatrixRow[], rules: readonly string[]): string => {
  const mutants = rows.filter(({ attacks }) => attacks !== undefined);
  const killedCount = mutants.filter(isKilled).length;
  const rulesWithoutMutant = rules.filter((rule) => !mutants.some(({ attacks }) => attacks === rule)).length;
  return [
    `${counted(mutants.length, "mutant")} of ${counted(rules.length - rulesWithoutMutant, "rule")}`,
    `${killedCount} killed`,
    `${mutants.length - killedCount} surviving`,
    `${counted(rulesWithoutMutant, "rule")} without a mutant`,
    `${counted(rows.length - mutants.length, "fault")} that attack${rows.length - mutants.length === 1 ? "s" : ""} no rule`,
  ].join(", ");
};

/**
 * Renders the kill matrix as Markdown: a table of faults with the rule that each attacks, whether that rule killed it, other rules that
 * failed, and the outcome; and a table of rules with their mutants. Rows keep their order. Rules are in the order of `rules`
 * (default: none), then other rules by name. The same rows yield the same bytes, and their text is never markup.
 */
export const renderKillMatrix = (rows: readonly KillMatrixRow[], rules: readonly string[] = []): string => {
  const rulesOfRows = rows.flatMap(({ attacks, failedRules }) =>
    attacks === undefined ? failedRules : [attacks, ...failedRules],
  );
  const allRules = [...new Set([...rules, ...rulesOfRows.toSorted()])];
  const faultHead = ["Fault", "Parameters", "Attacks", "Killed by", "Also failed", "Ended", "Notes"];
  const ruleHead = ["Rule", "Mutants it kills", "Mutants it misses", "Also fails at"];
  return joinTerminalLines([
    "# Kill matrix",
    "",
    `${formatSummary(rows, allRules)}.`,
    "",
    "## Faults",
    "",
    ...table(faultHead, rows.map(createFaultRow)),
    "",
    "## Rules",
    "",
    ...table(
      ruleHead,
      allRules.map((rule) => createRuleRow(rule, rows)),
    ),
  ]);
};
