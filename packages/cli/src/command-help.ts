import { type Command, Help, Option } from "commander";
import { advancedHeading } from "./flag.ts";

const isAdvanced = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === advancedHeading;

/** Description, choices and default of a flag. Its variable is not shown: one line of the help explains how its name is derived. */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? [] : [`choices: ${argChoices.join(", ")}`];
  const fallback = defaultValue === undefined ? [] : [`default: ${String(defaultValue)}`];
  const remarks = [...choices, ...fallback];
  return remarks.length === 0 ? description : `${description} (${remarks.join("; ")})`;
}

/** Which flags a help shows. */
export interface ShownFlags {
  /** Whether advanced flags are shown too. */
  readonly all: boolean;
}

const withoutAdvanced = (command: Command): Option[] =>
  new Help().visibleOptions(command).filter((option) => !isAdvanced(option));

/** The text of a help. Only the text leaves out advanced flags, so the parser still suggests them for mistyped ones. */
const helpText =
  ({ all }: ShownFlags) =>
  (command: Command, helper: Help): string =>
    new Help().formatHelp(command, all ? helper : Object.assign(helper, { visibleOptions: withoutAdvanced }));

const commandLineOf = (command: Command): string =>
  command.parent === null ? command.name() : `${commandLineOf(command.parent)} ${command.name()}`;

/** The last line of a help without advanced flags. */
function hintAtAdvanced(command: Command): string {
  const count = command.options.filter((option) => isAdvanced(option) && !option.hidden).length;
  const flags = count === 1 ? "1 more flag" : `${count} more flags`;
  return count === 0 ? "" : `\n\`${commandLineOf(command)} --help --all\` shows ${flags}.`;
}

/** Sets the form of the help of a program. Commands that are added later inherit it. */
export function shapeHelp(program: Command, { width, all }: ShownFlags & { readonly width: number }): void {
  program
    .addHelpOption(new Option("-h, --help", "print this help"))
    .addHelpText("afterAll", ({ command }) => (all ? "" : hintAtAdvanced(command)))
    .configureHelp({ helpWidth: width, optionDescription, formatHelp: helpText({ all }) });
}
