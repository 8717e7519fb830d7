import { HarnessError } from "@assay/contract";
import type { Command, Option } from "commander";
import { variableOf } from "../flag.ts";

const declared = new WeakMap<Option, readonly string[]>();

/**
 * Says that a flag does not go with others, named by their attributes. The parser's own way would hold what a variable says
 * against what the command line says, which is to win.
 */
export function notWith(option: Option, ...attributes: readonly string[]): Option {
  declared.set(option, attributes);
  return option;
}

const names = (option: Option): readonly string[] => declared.get(option) ?? [];

/** Whether two flags do not go together. */
export const areInConflict = (one: Option, other: Option): boolean =>
  names(one).includes(other.attributeName()) || names(other).includes(one.attributeName());

const isSaidBy = (command: Command, option: Option, source: "cli" | "env"): boolean =>
  command.getOptionValue(option.attributeName()) !== undefined &&
  command.getOptionValueSource(option.attributeName()) === source;

function refuseTwo(given: readonly Option[], shown: (option: Option) => string): void {
  for (const [index, one] of given.entries()) {
    const other = given.slice(index + 1).find((each) => areInConflict(one, each));
    if (other !== undefined) {
      throw new HarnessError("usage", `${shown(one)} cannot be used with ${shown(other)}; leave out one of them`);
    }
  }
}

const isFlag = (command: Command, name: string): boolean => command.getOptionValueSource(name) === "cli";

/**
 * Turns `--embedded` on for a `--fault` of the command line: only the embedded server misbehaves, so a target of the configuration or
 * of a variable is not meant. A target that is named on the command line as well is left to be refused. Returns whether it did.
 */
function takeEmbedded(command: Command): boolean {
  const isTaken =
    command.options.some((option) => option.attributeName() === "embedded") &&
    isFlag(command, "fault") &&
    !["url", "target", "embedded"].some((name) => isFlag(command, name));
  if (isTaken) {
    command.setOptionValueWithSource("embedded", true, "cli");
  }
  return isTaken;
}

/**
 * Leaves aside what variables say against flags of the command line, and returns a sentence about each. Fails with a
 * `HarnessError` where two flags contradict each other, or two variables.
 */
export function settleConflicts(command: Command): readonly string[] {
  const isTaken = takeEmbedded(command);
  const flags = command.options.filter((option) => isSaidBy(command, option, "cli"));
  const variables = command.options.filter((option) => isSaidBy(command, option, "env"));
  refuseTwo(flags, ({ long }) => long ?? "");
  const notes = variables.flatMap((option) => {
    const stronger = flags.find((each) => areInConflict(option, each));
    if (stronger === undefined) {
      return [];
    }
    command.setOptionValueWithSource(option.attributeName(), undefined, undefined);
    const by = isTaken && stronger.attributeName() === "embedded" ? "--fault" : (stronger.long ?? "");
    return [`${by} is given, so ${variableOf(option)} is ignored`];
  });
  refuseTwo(
    variables.filter((option) => isSaidBy(command, option, "env")),
    variableOf,
  );
  return notes;
}
