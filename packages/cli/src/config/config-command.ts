import { HarnessError } from "@assay/contract";
import { nearestName } from "@assay/runner";
import type { Command } from "commander";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, toggle } from "../flag.ts";
import { appliedTo, markAsShown } from "./apply-config.ts";
import type { AppliedConfig } from "./apply-config.ts";
import { hasSection } from "./command-options.ts";
import { configReport } from "./config-values.ts";
import type { ConfigReport, ConfigValue, HiddenValue } from "./config-values.ts";
import { targetFlag } from "./file-targets.ts";

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

const maxLineLength = 96;

/** Names in lines of the width of a screen. */
function namesIn(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    const longer = `${last}, ${name}`;
    if (last !== undefined && longer.length <= maxLineLength) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(name);
    }
  }
  return lines.map((line) => `  ${line}\n`).join("");
}

const isGiven = (each: ConfigValue): boolean => each.value !== undefined && each.source !== "default";

/** The values of a command with their sources, as text for people. */
function renderConfig(report: ConfigReport): string {
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

const examples = `
Examples:
  assay config                             what assay run would work with, and where it comes from
  assay config load --target staging       the same of assay load on a target of the file
  assay config run --timeout 60 --json     with flags of that command; as JSON

A flag wins over its variable, a variable over the file, the file over a default. Within the file a
target wins over the section of the command. Tokens and headers are shown as set or unset.
Exit codes: 0 fine, 2 wrong usage or a mistake in the file.`;

const flags = { target: targetFlag, json: toggle("machine-readable output") };

type ConfigOptions = OptionsOf<typeof flags>;

/** Adds \`assay config\`. */
export const configCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("config"), flags)
    .summary("Show each setting of a command and its source.")
    .description("Show what a command would work with: each value with its source.")
    .argument("[COMMAND]", "run, load, doctor, ... (default: run)")
    .argument("[FLAGS...]", "flags of that command")
    .allowUnknownOption()
    .addHelpText("after", examples)
    .action(async (name: string | undefined, others: readonly string[], { target, json }: ConfigOptions) => {
      // The shown command reads this variable as well, so it is not passed on twice.
      const named = target === undefined || target === context.env["ASSAY_TARGET"] ? [] : ["--target", target];
      await show({ program, name: name ?? "run", flags: [...named, ...others], json: json === true }, context);
      finish(0);
    });
};

interface ShownCommand {
  readonly program: Command;
  readonly name: string;
  readonly flags: readonly string[];
  readonly json: boolean;
}

function commandNamed(name: string, program: Command): Command {
  const known = program.commands.filter((command) => hasSection(command));
  const command = known.find((each) => each.name() === name);
  if (command !== undefined) {
    return command;
  }
  const names = known.map((each) => each.name());
  const near = nearestName(name, names);
  const hint = near === undefined ? `commands are ${names.join(", ")}` : `did you mean \`${near}\`?`;
  throw new HarnessError("usage", `there is no command \`${name}\` with a configuration; ${hint}`);
}

/** The flags before the command that choose the file. */
function globalFlags(program: Command): readonly string[] {
  const { config }: { readonly config?: unknown } = program.opts();
  return config === false ? ["--no-config"] : typeof config === "string" ? ["--config", config] : [];
}

const nothing: AppliedConfig = { members: new Map(), notes: [] };

/** Parses the command line of another command and shows its values instead of running it. */
async function show({ program, name, flags, json }: ShownCommand, context: CommandContext): Promise<void> {
  const command = commandNamed(name, program);
  for (const argument of command.registeredArguments) {
    argument.argOptional();
  }
  command.action(() => undefined);
  markAsShown(command);
  await program.parseAsync([...globalFlags(program), name, ...flags], { from: "user" });
  const report = configReport({ command, applied: appliedTo(command) ?? nothing, context });
  context.out(json ? `${JSON.stringify({ schemaVersion: 1, ...report }, null, 2)}\n` : renderConfig(report));
}
