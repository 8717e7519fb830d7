import { HarnessError } from "@assay/contract";
import { nearestName } from "@assay/runner";
import type { Command } from "commander";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, switchFlag } from "../flag.ts";
import { findAppliedConfig, markAsDisplayOnly } from "./apply-config.ts";
import type { AppliedConfig } from "./apply-config.ts";
import { hasSection } from "./command-options.ts";
import { createConfigReport } from "./config-values.ts";
import type { ConfigReport, ConfigValue, HiddenValue } from "./config-values.ts";
import { targetFlag } from "./file-targets.ts";

type Row = readonly [name: string, value: string, source: string];

function renderTable(rows: readonly Row[]): string {
  const maxWidth = (column: 0 | 1): number => Math.min(40, Math.max(0, ...rows.map((row) => row[column].length)));
  const [nameWidth, valueWidth] = [maxWidth(0), maxWidth(1)];
  return rows
    .map(([name, value, source]) => `  ${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${source}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

function formatValue(value: ConfigValue["value"]): string {
  if (value === undefined) {
    return "unset";
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return Array.isArray(value) && value.length === 0 ? "none" : [value].flat().join(", ");
}

const createRow = ({ name, value, source }: ConfigValue): Row => [name, formatValue(value), source];

const createHiddenRow = ({ name, length, source, from = [] }: HiddenValue): Row => {
  const size = length === undefined ? "" : `, ${length} chars`;
  const variables = from.length === 0 ? "" : ` (${from.join(", ")})`;
  return [name, source === undefined ? `unset${variables}` : `set (${source}${size})`, ""];
};

const renderSection = (title: string, rows: readonly Row[]): string =>
  rows.length === 0 ? "" : `\n${title}\n${renderTable(rows)}`;

const maxLineLength = 96;

/** Joins names with commas and wraps them to lines of at most `maxLineLength`, not counting the indent. */
function wrapNames(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const lastLine = lines.at(-1);
    const extendedLine = `${lastLine}, ${name}`;
    if (lastLine !== undefined && extendedLine.length <= maxLineLength) {
      lines[lines.length - 1] = extendedLine;
    } else {
      lines.push(name);
    }
  }
  return lines.map((line) => `  ${line}\n`).join("");
}

const isSet = ({ value, source }: ConfigValue): boolean => value !== undefined && source !== "default";

/** Renders the values of a command with their sources as text. */
function renderConfig(report: ConfigReport): string {
  const { command, file = "no configuration file", target, values, tokens, headers, proxies, withheld } = report;
  const defaults = values.filter(({ value, source }) => value !== undefined && source === "default");
  const unsetNames = values.filter(({ value }) => value === undefined).map(({ name }) => name);
  return [
    `assay ${command}: ${file}${target === undefined ? "" : `, target ${target}`}\n`,
    renderSection(
      "set",
      values.filter((value) => isSet(value)).map((value) => createRow(value)),
    ),
    renderSection(
      "default",
      defaults.map((value) => createRow(value)),
    ),
    renderSection(
      "tokens",
      tokens.map((token) => createHiddenRow(token)),
    ),
    renderSection(
      "headers",
      headers.map((header) => createHiddenRow(header)),
    ),
    renderSection(
      "proxies",
      proxies.map((proxy) => createRow(proxy)),
    ),
    unsetNames.length === 0 ? "" : `\nunset\n${wrapNames(unsetNames)}`,
    withheld.length === 0 ? "" : `\nnot sent, because SRC_ENDPOINT is a different instance: ${withheld.join(", ")}\n`,
  ].join("");
}

const examples = `
Examples:
  assay config                             the settings of assay run and their sources
  assay config load --target staging       the settings of assay load for a target in the file
  assay config run --timeout 60 --json     with its flags, as JSON

Precedence: flag, environment variable, configuration file, default. In the file, a target takes
precedence over the section of the command. Tokens and headers are shown as set or unset.
Exit codes: 0 success, 2 usage error or invalid file.`;

const flags = { target: targetFlag, json: switchFlag("machine-readable output") };

type ConfigOptions = OptionsOf<typeof flags>;

/** Adds `assay config`. */
export const configCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("config"), flags)
    .summary("Show each setting of a command and its source.")
    .description("Show the settings a command would use, each with its source.")
    .argument("[COMMAND]", "run, load, doctor, ... (default: run)")
    .argument("[FLAGS...]", "flags of that command")
    .allowUnknownOption()
    .addHelpText("after", examples)
    .action(async (name: string | undefined, flagArguments: readonly string[], { target, json }: ConfigOptions) => {
      // The shown command reads ASSAY_TARGET itself.
      const targetArguments =
        target === undefined || target === context.env["ASSAY_TARGET"] ? [] : ["--target", target];
      await showConfig(
        { program, name: name ?? "run", flagArguments: [...targetArguments, ...flagArguments], json: json === true },
        context,
      );
      finish(0);
    });
};

interface ShowRequest {
  readonly program: Command;
  readonly name: string;
  /** Flags to parse as if they followed the command. */
  readonly flagArguments: readonly string[];
  readonly json: boolean;
}

function findCommand(name: string, program: Command): Command {
  const configurableCommands = program.commands.filter((command) => hasSection(command));
  const command = configurableCommands.find((candidate) => candidate.name() === name);
  if (command !== undefined) {
    return command;
  }
  const names = configurableCommands.map((candidate) => candidate.name());
  const suggestion = nearestName(name, names);
  const hint = suggestion === undefined ? `choose one of ${names.join(", ")}` : `did you mean \`${suggestion}\`?`;
  throw new HarnessError("usage", `\`${name}\` is not a command with settings; ${hint}`);
}

/** Returns the `--config` or `--no-config` flag given before the command. */
function findGlobalFlags(program: Command): readonly string[] {
  const { config }: { readonly config?: unknown } = program.opts();
  return config === false ? ["--no-config"] : typeof config === "string" ? ["--config", config] : [];
}

const emptyConfig: AppliedConfig = { members: new Map(), notes: [] };

/** Parses the command line of a command and prints its settings instead of running it. */
async function showConfig({ program, name, flagArguments, json }: ShowRequest, context: CommandContext): Promise<void> {
  const command = findCommand(name, program);
  // Parsing must neither require arguments nor run the command.
  for (const argument of command.registeredArguments) {
    argument.argOptional();
  }
  command.action(() => undefined);
  markAsDisplayOnly(command);
  await program.parseAsync([...findGlobalFlags(program), name, ...flagArguments], { from: "user" });
  const report = createConfigReport({ command, appliedConfig: findAppliedConfig(command) ?? emptyConfig, context });
  context.out(json ? `${JSON.stringify({ schemaVersion: 1, ...report }, null, 2)}\n` : renderConfig(report));
}
