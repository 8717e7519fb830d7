import type { ConfigReport, ConfigValue, HiddenValue } from "./config-values.ts";

type Row = readonly [name: string, value: string, source: string];

function table(rows: readonly Row[]): string {
  const width = (column: 0 | 1): number => Math.min(40, Math.max(0, ...rows.map((row) => row[column].length)));
  const [first, second] = [width(0), width(1)];
  return rows
    .map(([name, value, source]) => `  ${name.padEnd(first)}  ${value.padEnd(second)}  ${source}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

const shownValue = (value: ConfigValue["value"]): string =>
  value === undefined
    ? "unset"
    : Array.isArray(value)
      ? value.length === 0
        ? "none"
        : value.join(", ")
      : typeof value === "boolean"
        ? value
          ? "on"
          : "off"
        : String(value);

const rowOf = ({ name, value, source }: ConfigValue): Row => [name, shownValue(value), source];

const hiddenRow = ({ name, length, source, from = [] }: HiddenValue): Row => {
  const size = length === undefined ? "" : `, ${length} chars`;
  const variables = from.length === 0 ? "" : ` (${from.join(", ")})`;
  return [name, source === undefined ? `unset${variables}` : `set (${source}${size})`, ""];
};

const part = (title: string, rows: readonly Row[]): string => (rows.length === 0 ? "" : `\n${title}\n${table(rows)}`);

const longestLine = 96;

/** Names in lines that fit a screen. */
function namesIn(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    const longer = `${last}, ${name}`;
    if (last !== undefined && longer.length <= longestLine) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(name);
    }
  }
  return lines.map((line) => `  ${line}\n`).join("");
}

const isGiven = (each: ConfigValue): boolean => each.value !== undefined && each.source !== "default";

/** The values of a command as text for people, with where each of them comes from. */
export function renderConfig(report: ConfigReport): string {
  const { command, file = "no configuration file", target, values, tokens, headers, proxies, withheld } = report;
  const fallbacks = values.filter((each) => each.value !== undefined && each.source === "default");
  const unset = values.filter(({ value }) => value === undefined).map(({ name }) => name);
  return [
    `assay ${command}: ${file}${target === undefined ? "" : `, target ${target}`}\n`,
    part(
      "set",
      values.filter((each) => isGiven(each)).map((each) => rowOf(each)),
    ),
    part(
      "default",
      fallbacks.map((each) => rowOf(each)),
    ),
    part(
      "tokens",
      tokens.map((each) => hiddenRow(each)),
    ),
    part(
      "headers",
      headers.map((each) => hiddenRow(each)),
    ),
    part(
      "proxies",
      proxies.map((each) => rowOf(each)),
    ),
    unset.length === 0 ? "" : `\nunset\n${namesIn(unset)}`,
    withheld.length === 0 ? "" : `\nnot sent, since SRC_ENDPOINT names another instance: ${withheld.join(", ")}\n`,
  ].join("");
}
