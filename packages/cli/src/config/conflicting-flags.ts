import { HarnessError } from "@assay/contract";
import type { Command } from "commander";
import { type Flags, flagsOf, typedFlag, variableOf } from "../flag.ts";

/** Whether two flags of a command cannot be given together. */
export const areInConflict = (one: string, other: string, flags: Flags): boolean =>
  flags[one]?.conflicts?.includes(other) === true || flags[other]?.conflicts?.includes(one) === true;

const namesFrom = (command: Command, source: "cli" | "env"): readonly string[] =>
  Object.keys(flagsOf(command)).filter(
    (name) => command.getOptionValue(name) !== undefined && command.getOptionValueSource(name) === source,
  );

function refuseTwo(given: readonly string[], flags: Flags, shown: (name: string) => string): void {
  for (const [index, one] of given.entries()) {
    const other = given.slice(index + 1).find((each) => areInConflict(one, each, flags));
    if (other !== undefined) {
      throw new HarnessError("usage", `${shown(one)} cannot be used with ${shown(other)}; leave out one of them`);
    }
  }
}

const isOnCommandLine = (command: Command, name: string): boolean => command.getOptionValueSource(name) === "cli";

/**
 * Turns `--embedded` on if `--fault` is on the command line: faults exist only in the embedded server, so a target from the configuration
 * or a variable is not meant. An address or a target on the command line is left for the check of conflicts. Returns whether it did.
 */
function embedForFault(command: Command): boolean {
  const isEmbedding =
    Object.hasOwn(flagsOf(command), "embedded") &&
    isOnCommandLine(command, "fault") &&
    !["url", "target", "embedded"].some((name) => isOnCommandLine(command, name));
  if (isEmbedding) {
    command.setOptionValueWithSource("embedded", true, "cli");
  }
  return isEmbedding;
}

/**
 * Ignores variables that conflict with flags of the command line, and returns a sentence about each. Fails with a `HarnessError` if two
 * flags conflict with each other, or two variables.
 */
export function settleConflicts(command: Command): readonly string[] {
  const flags = flagsOf(command);
  const isEmbedding = embedForFault(command);
  const typed = namesFrom(command, "cli");
  const long = (name: string): string => typedFlag(name, flags[name]);
  const variable = (name: string): string => variableOf(name, flags[name]);
  refuseTwo(typed, flags, long);
  const notes = namesFrom(command, "env").flatMap((name) => {
    const stronger = typed.find((each) => areInConflict(name, each, flags));
    if (stronger === undefined) {
      return [];
    }
    command.setOptionValueWithSource(name, undefined, undefined);
    const by = isEmbedding && stronger === "embedded" ? "--fault" : long(stronger);
    return [`${by} is given, so ${variable(name)} is ignored`];
  });
  refuseTwo(namesFrom(command, "env"), flags, variable);
  return notes;
}
