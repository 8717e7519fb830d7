import { Command, CommanderError } from "commander";
import { renderUsageError } from "@assay/report";
import type { AddCommand, CommandContext } from "./command-context.ts";
import { type HelpOptions, configureHelp } from "./command-help.ts";
import { resolveConflicts } from "./config/conflicting-flags.ts";
import { applyConfig, rejectWrongTarget } from "./config/apply-config.ts";
import { rejectEmptyValues } from "./config/empty-values.ts";
import { findSections, hasSection } from "./config/command-options.ts";
import { redactTokens } from "./config/token-text.ts";
import { addFlags, flagsOf, textFlag, negatedFlag } from "./flag.ts";
import { replaceFormerReporter } from "./reporter.ts";

/**
 * Command groups in the order of the help output: commands for newcomers first. A command is loaded when it is needed, because loading all of
 * them takes as long as checking a small file.
 */
const commandGroups: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommand>>>>> = {
  "Test:": {
    run: async () => (await import("./run/run-command.ts")).runCommand,
    check: async () => (await import("./check/check-command.ts")).checkCommand,
    client: async () => (await import("./client/client-command.ts")).clientCommand,
    doctor: async () => (await import("./doctor/doctor-command.ts")).doctorCommand,
  },
  "Load:": {
    load: async () => (await import("./load/load-command.ts")).loadCommand,
    compare: async () => (await import("./compare/compare-command.ts")).compareCommand,
    baseline: async () => (await import("./baseline/baseline-command.ts")).baselineCommand,
  },
  "Inspect:": {
    open: async () => (await import("./open/open-command.ts")).openCommand,
    judge: async () => (await import("./judge/judge-command.ts")).judgeCommand,
    explain: async () => (await import("./explain/explain-command.ts")).explainCommand,
    accept: async () => (await import("./accept/accept-command.ts")).acceptCommand,
    report: async () => (await import("./report/report-command.ts")).reportCommand,
    list: async () => (await import("./list/list-command.ts")).listCommand,
  },
  "Set up:": {
    serve: async () => (await import("./serve/serve-command.ts")).serveCommand,
    init: async () => (await import("./init/init-command.ts")).initCommand,
    config: async () => (await import("./config/config-command.ts")).configCommand,
    completion: async () => (await import("./completion/completion-command.ts")).completionCommand,
    cleanup: async () => (await import("./cleanup/cleanup-command.ts")).cleanupCommand,
  },
};

/** Commands that read the flags of others. */
const commandsReadingOtherFlags: ReadonlySet<string> = new Set(["config", "completion"]);

const isVersionFlag = (arg: string): boolean => arg === "--version" || arg === "-V";

/** Reports whether a command is needed to parse these arguments: the one that they begin with, none for `--version`, otherwise every command. */
function isNeeded(command: string, [firstArgument = ""]: readonly string[]): boolean {
  const isCommand = Object.values(commandGroups).some((group) => Object.hasOwn(group, firstArgument));
  return isCommand && !commandsReadingOtherFlags.has(firstArgument)
    ? command === firstArgument
    : !isVersionFlag(firstArgument);
}

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
  // A file may have sections of commands that were not loaded.
  const readSections = async () => findSections((await createAssayProgram(context)).program);
  const config = hasSection(command) ? await applyConfig(command, program, { context, readSections }) : undefined;
  if (config !== undefined) {
    rejectWrongTarget(config, command);
  }
  const notes = [...(config?.notes ?? []), ...replaceFormerReporter(command)];
  context.err([...conflictNotes, ...notes].map((note) => `note: ${note}\n`).join(""));
}

/** Options of the command line parser. */
export interface ProgramOptions extends HelpOptions {
  /** The arguments that it will parse. Default: any, so that it has all commands. */
  readonly args?: readonly string[];
}

/** The command line parser. */
export interface AssayProgram {
  readonly program: Command;
  /** Returns the exit code of the command that ran. */
  readonly getExitCode: () => number;
}

/** Creates the command line parser. */
export async function createAssayProgram(
  context: CommandContext,
  { args = [], ...helpOptions }: ProgramOptions = { showsAdvanced: false },
): Promise<AssayProgram> {
  let exitCode = 0;
  const program = new Command("assay")
    .description("Tests whether a code search service follows its contract, and how fast it is.")
    .option("-V, --version", "versions of Assay, contract, k6 and Node")
    .showHelpAfterError("See `assay --help`.")
    .configureOutput({
      writeOut: context.out,
      writeErr: context.err,
      outputError: (message, write) =>
        write(
          renderUsageError(
            addAdvice(
              redactTokens(message)
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
    config: textFlag("<FILE>", "configuration (default: assay.config.ts, .js, .mjs or .json, from here upwards)"),
  });
  addFlags(program, { config: negatedFlag("do not read a configuration file") });
  configureHelp(program, { width: context.terminal.width, ...helpOptions });
  if (args.some(isVersionFlag)) {
    const { formatParts, listVersionParts } = await import("./installation.ts");
    program.on("option:version", () => {
      context.out(formatParts(listVersionParts(context.env), { showsSigns: false }));
      throw new CommanderError(0, "commander.version", "");
    });
  }
  // For the command `help`, which the parser creates.
  program.commandsGroup("Set up:").helpCommand("help [command]", "Show the flags and examples of a command.");
  for (const [heading, group] of Object.entries(commandGroups)) {
    for (const [name, load] of Object.entries(group)) {
      if (isNeeded(name, args)) {
        const addCommand = await load();
        addCommand(program, context, (code) => {
          exitCode = code;
        });
        program.commands.at(-1)?.helpGroup(heading);
      }
    }
  }
  for (const command of program.commands) {
    setHelpHint(command, "assay");
  }
  return { program, getExitCode: () => exitCode };
}
