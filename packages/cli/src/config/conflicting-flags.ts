import { HarnessError } from "@assay/contract";
import type { Command } from "commander";
import { type Flags, flagsOf, typedFlag, variableOf } from "../flag.ts";

/** Reports whether two flags of a command cannot be used together. */
export const areInConflict = (first: string, second: string, flags: Flags): boolean =>
  flags[first]?.conflicts?.includes(second) === true || flags[second]?.conflicts?.includes(first) === true;

const findFlagNames = (command: Command, source: "cli" | "env"): readonly string[] =>
  Object.keys(flagsOf(command)).filter(
    (name) => command.getOptionValue(name) !== undefined && command.getOptionValueSource(name) === source,
  );

function rejectConflict(given: readonly string[], flags: Flags, shown: (name: string) => string): void {
  for (const [index, first] of given.entries()) {
    const second = given.slice(index + 1).find((name) => areInConflict(first, name, flags));
    if (second !== undefined) {
      throw new HarnessError("usage", `${shown(first)} cannot be used with ${shown(second)}; remove one of them`);
    }
  }
}

const isOnCommandLine = (command: Command, name: string): boolean => command.getOptionValueSource(name) === "cli";

/**
 * Turns on `--embedded` if `--fault` is on the command line: faults exist only in the embedded server, so a target from the configuration
 * or a variable is not meant. Ignores commands with a URL or target on the command line, because the conflict check reports those.
 * Returns whether it turned on `--embedded`.
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
 * Ignores variables that conflict with flags on the command line, and returns a note about each. Throws a `HarnessError` if two flags, or
 * two variables, conflict with each other.
 */
export function resolveConflicts(command: Command): readonly string[] {
  const flags = flagsOf(command);
  const isEmbedding = embedForFault(command);
  const typed = findFlagNames(command, "cli");
  const long = (name: string): string => typedFlag(name, flags[name]);
  const variable = (name: string): string => variableOf(name, flags[name]);
  rejectConflict(typed, flags, long);
  const notes = findFlagNames(command, "env").flatMap((name) => {
    const overriding = typed.find((flag) => areInConflict(name, flag, flags));
    if (overriding === undefined) {
      return [];
    }
    command.setOptionValueWithSource(name, undefined, undefined);
    const by = isEmbedding && overriding === "embedded" ? "--fault" : long(overriding);
    return [`${by} is set, so ${variable(name)} is ignored`];
  });
  rejectConflict(findFlagNames(command, "env"), flags, variable);
  return notes;
}
