import { type Command, Help, Option } from "commander";
import { advancedHeading } from "./flag.ts";

const isAdvanced = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === advancedHeading;

/** What a flag does, its choices and its default. Its variable follows from its name: one line at the end says how. */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? [] : [`choices: ${argChoices.join(", ")}`];
  const fallback = defaultValue === undefined ? [] : [`default: ${String(defaultValue)}`];
  const remarks = [...choices, ...fallback];
  return remarks.length === 0 ? description : `${description} (${remarks.join("; ")})`;
}

/** The flags that a help shows. */
export interface ShownFlags {
  /** Also the advanced ones. */
  readonly all: boolean;
}

const withoutAdvanced = (command: Command): Option[] =>
  new Help().visibleOptions(command).filter((option) => !isAdvanced(option));

/** The text of a help. Advanced flags are left out here and not where the parser looks for the flag that was meant. */
const helpText =
  ({ all }: ShownFlags) =>
  (command: Command, helper: Help): string =>
    new Help().formatHelp(command, all ? helper : Object.assign(helper, { visibleOptions: withoutAdvanced }));

const commandLineOf = (command: Command): string =>
  command.parent === null ? command.name() : `${commandLineOf(command.parent)} ${command.name()}`;

/** The last line of a help that leaves flags out. */
function hintAtAdvanced(command: Command): string {
  const count = command.options.filter((option) => isAdvanced(option) && !option.hidden).length;
  const flags = count === 1 ? "1 more flag" : `${count} more flags`;
  return count === 0 ? "" : `\n\`${commandLineOf(command)} --help --all\` shows ${flags}.`;
}

/** Gives a program and its commands the form of their help; commands take it over when they are added. */
export function shapeHelp(program: Command, { width, all }: ShownFlags & { readonly width: number }): void {
  program
    .addHelpOption(new Option("-h, --help", "print this help"))
    .addHelpText("afterAll", ({ command }) => (all ? "" : hintAtAdvanced(command)))
    .configureHelp({ helpWidth: width, optionDescription, formatHelp: helpText({ all }) });
}
