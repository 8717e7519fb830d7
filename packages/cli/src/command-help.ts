import { counted } from "@assay/contract";
import { type Command, Help, Option } from "commander";
import { advancedHeading } from "./flag.ts";

const isAdvanced = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === advancedHeading;

/**
 * Describes a flag with its choices and default. The environment variable is omitted, because the help text explains how its name is
 * derived.
 */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const choicesNote = argChoices === undefined ? [] : [`choices: ${argChoices.join(", ")}`];
  const defaultNote = defaultValue === undefined ? [] : [`default: ${String(defaultValue)}`];
  const remarks = [...choicesNote, ...defaultNote];
  return remarks.length === 0 ? description : `${description} (${remarks.join("; ")})`;
}

export interface HelpOptions {
  /** Whether to include advanced flags in help output. */
  readonly showAdvanced: boolean;
}

const listBasicOptions = (command: Command): Option[] =>
  new Help().visibleOptions(command).filter((option) => !isAdvanced(option));

/** Creates a formatter of help output. Advanced flags are hidden only here, so the parser can still suggest them. */
const createHelpFormatter =
  ({ showAdvanced }: HelpOptions) =>
  (command: Command, helper: Help): string =>
    new Help().formatHelp(command, showAdvanced ? helper : Object.assign(helper, { visibleOptions: listBasicOptions }));

const formatCommandLine = (command: Command): string =>
  command.parent === null ? command.name() : `${formatCommandLine(command.parent)} ${command.name()}`;

/** Returns the line that says how many advanced flags are hidden. */
function createAdvancedFlagsHint(command: Command): string {
  const count = command.options.filter((option) => isAdvanced(option) && !option.hidden).length;
  const moreFlags = counted(count, "more flag");
  return count === 0 ? "" : `\n\`${formatCommandLine(command)} --help --all\` shows ${moreFlags}.`;
}

/** Configures help output of `program`. Commands added later inherit it. */
export function configureHelp(
  program: Command,
  { width, showAdvanced }: HelpOptions & { readonly width: number },
): void {
  program
    .addHelpOption(new Option("-h, --help", "print this help"))
    .addHelpText("afterAll", ({ command }) => (showAdvanced ? "" : createAdvancedFlagsHint(command)))
    .configureHelp({ helpWidth: width, optionDescription, formatHelp: createHelpFormatter({ showAdvanced }) });
}
