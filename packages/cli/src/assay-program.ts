import { Command, CommanderError } from "commander";
import { renderUsageError } from "@assay/report";
import { acceptCommand } from "./accept/accept-command.ts";
import { baselineCommand } from "./baseline/baseline-command.ts";
import { checkCommand } from "./check/check-command.ts";
import { cleanupCommand } from "./cleanup/cleanup-command.ts";
import { clientCommand } from "./client/client-command.ts";
import type { AddCommand, CommandContext } from "./command-context.ts";
import { type HelpOptions, configureHelp } from "./command-help.ts";
import { resolveConflicts } from "./config/conflicting-flags.ts";
import { applyConfig, rejectWrongTarget } from "./config/apply-config.ts";
import { rejectEmptyValues } from "./config/empty-values.ts";
import { hasSection } from "./config/command-options.ts";
import { completionCommand } from "./completion/completion-command.ts";
import { configCommand } from "./config/config-command.ts";
import { redactTokens } from "./config/token-text.ts";
import { compareCommand } from "./compare/compare-command.ts";
import { doctorCommand } from "./doctor/doctor-command.ts";
import { addFlags, flagsOf, text, turnOff } from "./flag.ts";
import { explainCommand } from "./explain/explain-command.ts";
import { formatParts, listVersionParts } from "./installation.ts";
import { initCommand } from "./init/init-command.ts";
import { judgeCommand } from "./judge/judge-command.ts";
import { listCommand } from "./list/list-command.ts";
import { loadCommand } from "./load/load-command.ts";
import { openCommand } from "./open/open-command.ts";
import { replaceFormerReporter } from "./reporter.ts";
import { reportCommand } from "./report/report-command.ts";
import { runCommand } from "./run/run-command.ts";
import { serveCommand } from "./serve/serve-command.ts";

/** Command groups in the order of the help output: commands for newcomers first. */
const commandGroups: Readonly<Record<string, readonly AddCommand[]>> = {
  "Test:": [runCommand, checkCommand, clientCommand, doctorCommand],
  "Load:": [loadCommand, compareCommand, baselineCommand],
  "Inspect:": [openCommand, judgeCommand, explainCommand, acceptCommand, reportCommand, listCommand],
  "Set up:": [serveCommand, initCommand, configCommand, completionCommand, cleanupCommand],
};

const examples = `
Examples:
  assay run                            run the contract tests against the embedded reference server
  assay run --url https://search.example.com
  assay init                           create a configuration with targets, and a workflow
  assay doctor --url https://search.example.com
  assay serve --fault no-done          start a server with a fault, to see a failure

Flags and examples of a command: \`assay help run\`.`;

/**
 * Adds advice to two errors of the parser: a URL is passed with a flag, and a token on the command line would be visible to every user
 * of the machine.
 */
function addAdvice(text: string, commands: readonly Command[]): string {
  const [, name] = /^too many arguments for '([^']+)'/u.exec(text) ?? [];
  const takesUrl = commands.some((command) => command.name() === name && Object.hasOwn(flagsOf(command), "url"));
  if (takesUrl) {
    return `${text} Pass an address with --url, or a target of the configuration with --target.`;
  }
  return text.startsWith("unknown option '--token'")
    ? `${text}; never pass a token on the command line: set ASSAY_TOKEN, or use --token-file or --token-command`
    : text;
}

/** Makes usage errors of a command and its subcommands refer to their own help. */
function setHelpHint(command: Command, parent: string): void {
  const name = `${parent} ${command.name()}`;
  command.showHelpAfterError(`See \`${name} --help\`.`);
  for (const subcommand of command.commands) {
    setHelpHint(subcommand, name);
  }
}

/** Sets the values of a command from flags, variables and the configuration, and prints a note about each ignored value. */
async function resolveFlags(command: Command, program: Command, context: CommandContext): Promise<void> {
  rejectEmptyValues(command);
  // The parser assigns flags of `load merge` to `load` if both have them.
  const conflictNotes = [command.parent ?? [], command].flat().flatMap(resolveConflicts);
  const config = hasSection(command) ? await applyConfig(command, program, context) : undefined;
  if (config !== undefined) {
    rejectWrongTarget(config, command);
  }
  const notes = [...(config?.notes ?? []), ...replaceFormerReporter(command)];
  context.err([...conflictNotes, ...notes].map((note) => `note: ${note}\n`).join(""));
}

/** Creates the command line parser. `result` returns the exit code of the command that ran. */
export function createAssayProgram(
  context: CommandContext,
  helpOptions: HelpOptions = { showsAdvanced: false },
): { readonly program: Command; readonly result: () => number } {
  let exitCode = 0;
  const program = new Command("assay")
    .description("Tests whether a code search service follows its contract, and how fast it is.")
    .option("-V, --version", "versions of Assay, contract, k6 and Node")
    .showHelpAfterError("See `assay --help`.")
    .configureOutput({
      writeOut: context.out,
      writeErr: context.err,
      outputError: (text, write) =>
        write(
          renderUsageError(
            addAdvice(
              redactTokens(text)
                .replace(/^error: /u, "")
                .trim()
                .replaceAll("\n", " "),
              program.commands,
            ),
          ),
        ),
    })
    .addHelpText("after", examples)
    .exitOverride()
    .hook("preAction", (_program, command) => resolveFlags(command, program, context));
  addFlags(program, {
    config: text("<FILE>", "configuration (default: assay.config.ts, .js, .mjs or .json, from here upwards)"),
  });
  addFlags(program, { config: turnOff("do not read a configuration file") });
  configureHelp(program, { width: context.terminal.width, ...helpOptions });
  program.on("option:version", () => {
    context.out(formatParts(listVersionParts(context.env), { showsSigns: false }));
    throw new CommanderError(0, "commander.version", "");
  });
  // For the command `help`, which the parser creates.
  program.commandsGroup("Set up:").helpCommand("help [command]", "Show the flags and examples of a command.");
  for (const [heading, commands] of Object.entries(commandGroups)) {
    for (const addCommand of commands) {
      addCommand(program, context, (code) => {
        exitCode = code;
      });
      program.commands.at(-1)?.helpGroup(heading);
    }
  }
  for (const command of program.commands) {
    setHelpHint(command, "assay");
  }
  return { program, result: () => exitCode };
}
