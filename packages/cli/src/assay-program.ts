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

/** Loads a command. Arguments are empty if all commands are loaded. */
type LoadCommand = (start: Pick<CommandContext, "env"> & { readonly args: readonly string[] }) => Promise<AddCommand>;

/**
 * Command groups in the order of the help output: commands for newcomers first. Assay loads a command only when it
 * needs it, because loading all of them takes as long as checking a small file.
 */
const commandGroups: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  "Test:": {
    run: async ({ args, env }) => {
      const { mayUseEmbeddedServer, prepareServerThread } = await import("./run/prepared-server-thread.ts");
      if (args.length > 0 && mayUseEmbeddedServer(args, env)) {
        prepareServerThread();
      }
      return (await import("./run/run-command.ts")).runCommand;
    },
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

/** Commands that need every other command loaded, because they read its flags. */
const commandsNeedingAllFlags: ReadonlySet<string> = new Set(["config", "completion"]);

const isVersionFlag = (arg: string): boolean => arg === "--version" || arg === "-V";

/**
 * Reports whether to load a command for these arguments. If they begin with a command, only that one is loaded.
 * `--version` loads none. Everything else, including `config` and `completion`, loads all.
 */
function shouldLoad(command: string, [firstArgument = ""]: readonly string[]): boolean {
  const isCommand = Object.values(commandGroups).some((group) => Object.hasOwn(group, firstArgument));
  return isCommand && !commandsNeedingAllFlags.has(firstArgument)
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
 * Adds advice to two parser errors: a surplus argument, which may be a URL, and the unknown flag `--token`. Every
 * user of the machine can see a token on the command line.
 */
function addAdvice(text: string, commands: readonly Command[]): string {
  const [, name] = /^too many arguments for '([^']+)'/u.exec(text) ?? [];
  const hasUrlFlag = commands.some((command) => command.name() === name && Object.hasOwn(flagsOf(command), "url"));
  if (hasUrlFlag) {
    return `${text} Pass a URL with --url, or a target in the configuration with --target.`;
  }
  return text.startsWith("unknown option '--token'")
    ? `${text}; never pass a token on the command line: set ASSAY_TOKEN, or use --token-file or --token-command`
    : text;
}

/** Points usage errors of a command and its subcommands at their own help. */
function setHelpHint(command: Command, parent: string): void {
  const name = `${parent} ${command.name()}`;
  command.showHelpAfterError(`See \`${name} --help\`.`);
  for (const subcommand of command.commands) {
    setHelpHint(subcommand, name);
  }
}

/** Sets the values of a command from flags, variables and the configuration, and prints a note about each ignored value. */
async function applySettings(command: Command, program: Command, context: CommandContext): Promise<void> {
  rejectEmptyValues(command);
  // The parser assigns flags of `load merge` to `load` if both have them.
  const conflictNotes = [command.parent ?? [], command].flat().flatMap(resolveConflicts);
  // The file may contain sections for commands that are not loaded.
  const readSections = async () => findSections((await createAssayProgram(context)).program);
  const config = hasSection(command) ? await applyConfig(command, program, { context, readSections }) : undefined;
  if (config !== undefined) {
    rejectWrongTarget(config, command);
  }
  const notes = [...(config?.notes ?? []), ...replaceFormerReporter(command)];
  context.err([...conflictNotes, ...notes].map((note) => `note: ${note}\n`).join(""));
}

export interface ProgramOptions extends HelpOptions {
  /** Arguments to parse. Only the commands they need are loaded. By default all commands are loaded. */
  readonly args?: readonly string[];
}

export interface AssayProgram {
  readonly program: Command;
  /** Returns the exit code of the command that ran. */
  readonly getExitCode: () => number;
}

/** Creates the command line parser. */
export async function createAssayProgram(
  context: CommandContext,
  { args = [], ...helpOptions }: ProgramOptions = { showAdvanced: false },
): Promise<AssayProgram> {
  let exitCode = 0;
  const program = new Command("assay")
    .description("Checks that a code search service follows its contract, and measures its speed.")
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
    .hook("preAction", (_program, command) => applySettings(command, program, context));
  addFlags(program, {
    config: textFlag(
      "<FILE>",
      "configuration (default: assay.config.ts, .js, .mjs or .json, searched upward from here)",
    ),
  });
  addFlags(program, { config: negatedFlag("do not read a configuration file") });
  configureHelp(program, { width: context.terminal.width, ...helpOptions });
  if (args.some(isVersionFlag)) {
    const { formatParts, listVersionParts } = await import("./installation.ts");
    program.on("option:version", () => {
      context.out(formatParts(listVersionParts(context.env), { showSigns: false }));
      throw new CommanderError(0, "commander.version", "");
    });
  }
  // Puts the parser's built-in `help` command in this group.
  program.commandsGroup("Set up:").helpCommand("help [command]", "Show the flags and examples of a command.");
  for (const [heading, group] of Object.entries(commandGroups)) {
    for (const [name, load] of Object.entries(group)) {
      if (shouldLoad(name, args)) {
        const addCommand = await load({ args, env: context.env });
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
