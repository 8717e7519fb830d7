import { quoteForShell } from "@assay/evidence";
import { ruleIds } from "@assay/contract";
import { scenarioNames } from "@assay/scenarios";
import type { Argument, Command } from "commander";
import type { AddCommand } from "../command-context.ts";
import { type Flag, flagsOf, isAdvanced, takesPath, readOneOf, formatFlagName } from "../flag.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const examples = `
Examples:
  assay completion bash    add to ~/.bashrc: source <(assay completion bash)
  assay completion zsh     add to ~/.zshrc: source <(assay completion zsh)
  assay completion fish    save as ~/.config/fish/completions/assay.fish`;

/** Adds `assay completion`. */
export const completionCommand: AddCommand = (program, context, finish) => {
  program
    .command("completion")
    .summary("Print a shell completion script.")
    .description("Print a script that completes commands, flags and their values.")
    .argument("<SHELL>", shells.join(", "), readOneOf(shells).read)
    .addHelpText("after", examples)
    .action((shell: Shell) => {
      context.out(scripts[shell](program));
      finish(0);
    });
};

type NamedFlag = readonly [name: string, flag: Flag];

const listVisibleFlags = (command: Command): readonly NamedFlag[] =>
  Object.entries(flagsOf(command)).filter(([, { isHidden = false }]) => !isHidden);

const listFlagNames = ([name, flag]: NamedFlag): readonly string[] => [
  ...(flag.short === undefined ? [] : [`-${flag.short}`]),
  formatFlagName(name, flag),
];

const listChoices = ({ completions, schema }: Flag): readonly string[] => completions ?? schema.enum ?? [];

/** Returns the known values of a command's positional arguments. Other arguments complete as file names. */
function listArguments({ registeredArguments }: Command): readonly string[] {
  const argumentValues: Readonly<Record<string, readonly string[]>> = {
    SCENARIO: scenarioNames,
    SHELL: shells,
    RULE: ruleIds,
  };
  return registeredArguments.flatMap((argument: Argument) => argumentValues[argument.name()] ?? []);
}

const completeFiles = 'COMPREPLY=($(compgen -f -- "$word"))';

/** Creates the `case` branches that complete a flag's value: from a list, as a file name, or not at all. */
function createValueCases(command: Command): readonly string[] {
  return listVisibleFlags(command)
    .filter(([, { argument }]) => argument !== undefined)
    .map(([name, flag]) => {
      const choices = listChoices(flag);
      const fallback = takesPath(flag) ? completeFiles : "return 0";
      const action = choices.length === 0 ? fallback : `words=${quoteForShell(choices.join(" "))}`;
      return `        ${command.name()}\\ ${listFlagNames([name, flag]).join(`|${command.name()}\\ `)}) ${action} ;;`;
    });
}

/**
 * Creates a script that first completes the value of the previous flag, then flags if the word starts with `-`, and
 * otherwise the command's arguments and files.
 */
function createBashScript(program: Command): string {
  const { commands } = program;
  const commandNames = commands.map((command) => command.name());
  const flags = commands.map(
    (command) =>
      `        ${command.name()}) words=${quoteForShell([...listVisibleFlags(command).flatMap(listFlagNames), "--help"].join(" "))} ;;`,
  );
  const argumentCases = commands
    .filter((command) => listArguments(command).length > 0)
    .map((command) => `        ${command.name()}) words=${quoteForShell(listArguments(command).join(" "))} ;;`);
  return `_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" arg
  COMPREPLY=()
  for arg in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${commandNames.join(" ")} " in *" $arg "*) command="$arg"; break ;; esac
  done
  if [ -z "$command" ]; then
    words=${quoteForShell([...commandNames, "help", ...program.options.flatMap(({ short, long }) => [short, long].filter((name) => typeof name === "string")), "--help"].join(" "))}
  else
    case "$command $prev" in
${commands.flatMap(createValueCases).join("\n")}
    esac
    if [ -z "$words" ] && [ "\${#COMPREPLY[@]}" -eq 0 ]; then
      case "$word" in
        -*) case "$command" in
${flags.join("\n")}
        esac ;;
        *) ${completeFiles}
        case "$command" in
${argumentCases.join("\n")}
        esac
        [ -z "$words" ] || COMPREPLY+=($(compgen -W "$words" -- "$word"))
        return 0 ;;
      esac
    fi
  fi
  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _assay assay
`;
}

const createZshScript = (program: Command): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${createBashScript(program)}`;

function createFishFlagLine(command: Command, [name, flag]: NamedFlag): string {
  const { argument, help, short } = flag;
  const choices = listChoices(flag);
  // In fish, `-r` completes the value as a file and `-x` does not.
  const defaultCompletion = takesPath(flag) ? "-r" : "-x";
  return [
    `complete -c assay -n ${quoteForShell(`__fish_seen_subcommand_from ${command.name()}`)}`,
    `-l ${formatFlagName(name, flag).slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(argument === undefined
      ? []
      : [choices.length === 0 ? defaultCompletion : `-x -a ${quoteForShell(choices.join(" "))}`]),
    `-d ${quoteForShell(isAdvanced(flag) ? `${help} (advanced)` : help)}`,
  ].join(" ");
}

const createFishScript = (program: Command): string =>
  [
    ...program.commands.map(
      (command) =>
        `complete -c assay -n __fish_use_subcommand -a ${command.name()} -d ${quoteForShell(command.summary() || command.description())}`,
    ),
    ...program.commands
      .filter((command) => listArguments(command).length > 0)
      .map(
        (command) =>
          `complete -c assay -n ${quoteForShell(`__fish_seen_subcommand_from ${command.name()}`)} -a ${quoteForShell(listArguments(command).join(" "))}`,
      ),
    ...program.commands.flatMap((command) =>
      listVisibleFlags(command).map((flag) => createFishFlagLine(command, flag)),
    ),
    "",
  ].join("\n");

const scripts: Readonly<Record<Shell, (program: Command) => string>> = {
  bash: createBashScript,
  zsh: createZshScript,
  fish: createFishScript,
};
