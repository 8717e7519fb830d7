import { shellQuoted } from "@assay/evidence";
import { trialNames } from "@assay/client-trials";
import { ruleIds } from "@assay/contract";
import { faults } from "@assay/reference-server";
import { judgedInterfaces, profileNames } from "@assay/runner";
import { scenarioNames } from "@assay/scenarios";
import type { Argument, Command, Option } from "commander";
import type { AddCommand } from "../command-context.ts";
import { isAdvanced, namesPath, oneOf, schemaOfFlag } from "../flag.ts";
import { failedRulesName } from "../run/failed-rules.ts";
import { reporterNames } from "../reporter.ts";
import { formatNames } from "../report/report-formats.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const examples = `
Examples:
  assay completion bash    to be sourced in ~/.bashrc: source <(assay completion bash)
  assay completion zsh     likewise in ~/.zshrc
  assay completion fish    goes to ~/.config/fish/completions/assay.fish`;

/** Adds \`assay completion\`. */
export const completionCommand: AddCommand = (program, context, finish) => {
  program
    .command("completion")
    .summary("Complete commands and flags in a shell.")
    .description("Print what makes a shell complete commands, flags and their values.")
    .argument("<SHELL>", shells.join(", "), oneOf(shells))
    .addHelpText("after", examples)
    .action((shell: Shell) => {
      context.out(scripts[shell](program));
      finish(0);
    });
};

const shown = ({ options }: Command): readonly Option[] => options.filter(({ hidden }) => !hidden);

const namesOf = ({ long, short }: Option): readonly string[] =>
  [short, long].flatMap((name) => (name === undefined || name === null ? [] : [name]));

/** Names that flags take whose parser does not know them, by attribute. */
const knownNames: Readonly<Record<string, readonly string[]>> = {
  profile: profileNames,
  interface: judgedInterfaces,
  rule: ruleIds,
  fault: faults.map(({ id }) => id),
  trial: trialNames,
  reporter: reporterNames,
};

/** The same for a flag of one command alone. */
const ownNames: Readonly<Record<string, readonly string[]>> = {
  "report format": formatNames,
  "run rule": [failedRulesName, ...ruleIds],
};

/** What a flag takes, where that can be listed. */
function choicesOf(option: Option, command: Command): readonly string[] {
  const own = ownNames[`${command.name()} ${option.attributeName()}`];
  return own ?? knownNames[option.attributeName()] ?? option.argChoices ?? schemaOfFlag(option).enum ?? [];
}

/** What stands without a flag, where it can be listed: everything else is taken for a file. */
function argumentsOf({ registeredArguments }: Command): readonly string[] {
  const named: Readonly<Record<string, readonly string[]>> = { SCENARIO: scenarioNames, SHELL: shells, RULE: ruleIds };
  return registeredArguments.flatMap((argument: Argument) => named[argument.name()] ?? []);
}

const takesValue = ({ optional, required }: Option): boolean => required || optional;

const filesAnswer = 'COMPREPLY=($(compgen -f -- "$word"))';

/** The lines of a shell's \`case\` that answer with what the flag before takes: names, files, or what only its user knows. */
function valueCases(command: Command): readonly string[] {
  return shown(command)
    .filter(takesValue)
    .map((option) => {
      const choices = choicesOf(option, command);
      const other = namesPath(option) ? filesAnswer : "return 0";
      const answer = choices.length === 0 ? other : `words=${shellQuoted(choices.join(" "))}`;
      return `        ${command.name()}\\ ${namesOf(option).join(`|${command.name()}\\ `)}) ${answer} ;;`;
    });
}

function bash(program: Command): string {
  const { commands } = program;
  const names = commands.map((command) => command.name());
  const flags = commands.map(
    (command) =>
      `        ${command.name()}) words=${shellQuoted([...shown(command).flatMap(namesOf), "--help"].join(" "))} ;;`,
  );
  const places = commands
    .filter((command) => argumentsOf(command).length > 0)
    .map((command) => `        ${command.name()}) words=${shellQuoted(argumentsOf(command).join(" "))} ;;`);
  return `_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" each
  COMPREPLY=()
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${names.join(" ")} " in *" $each "*) command="$each"; break ;; esac
  done
  if [ -z "$command" ]; then
    words=${shellQuoted([...names, "help", ...shown(program).flatMap(namesOf), "--help"].join(" "))}
  else
    case "$command $before" in
${commands.flatMap(valueCases).join("\n")}
    esac
    if [ -z "$words" ] && [ "\${#COMPREPLY[@]}" -eq 0 ]; then
      case "$word" in
        -*) case "$command" in
${flags.join("\n")}
        esac ;;
        *) ${filesAnswer}
        case "$command" in
${places.join("\n")}
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

const zsh = (program: Command): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;

function fishFlag(command: Command, option: Option): string {
  const { description, long, short } = option;
  const choices = choicesOf(option, command);
  const others = namesPath(option) ? "-r" : "-x";
  return [
    `complete -c assay -n ${shellQuoted(`__fish_seen_subcommand_from ${command.name()}`)}`,
    ...(long === undefined || long === null ? [] : [`-l ${long.slice(2)}`]),
    ...(short === undefined || short === null ? [] : [`-s ${short.slice(1)}`]),
    ...(takesValue(option) ? [choices.length === 0 ? others : `-x -a ${shellQuoted(choices.join(" "))}`] : []),
    `-d ${shellQuoted(isAdvanced(option) ? `${description} (advanced)` : description)}`,
  ].join(" ");
}

const fish = (program: Command): string =>
  [
    ...program.commands.map(
      (command) =>
        `complete -c assay -n __fish_use_subcommand -a ${command.name()} -d ${shellQuoted(command.summary() || command.description())}`,
    ),
    ...program.commands
      .filter((command) => argumentsOf(command).length > 0)
      .map(
        (command) =>
          `complete -c assay -n ${shellQuoted(`__fish_seen_subcommand_from ${command.name()}`)} -a ${shellQuoted(argumentsOf(command).join(" "))}`,
      ),
    ...program.commands.flatMap((command) => shown(command).map((option) => fishFlag(command, option))),
    "",
  ].join("\n");

const scripts: Readonly<Record<Shell, (program: Command) => string>> = { bash, zsh, fish };
