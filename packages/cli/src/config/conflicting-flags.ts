import { HarnessError } from "@assay/contract";
import type { Command } from "commander";
import { type Flags, flagsOf, formatFlagName, formatVariableName } from "../flag.ts";

/** Reports whether two flags of a command cannot be used together. */
export const flagsConflict = (firstName: string, secondName: string, flags: Flags): boolean =>
  flags[firstName]?.conflicts?.includes(secondName) === true ||
  flags[secondName]?.conflicts?.includes(firstName) === true;

const findFlagNames = (command: Command, source: "cli" | "env"): readonly string[] =>
  Object.keys(flagsOf(command)).filter(
    (name) => command.getOptionValue(name) !== undefined && command.getOptionValueSource(name) === source,
  );

function rejectConflict(names: readonly string[], flags: Flags, formatName: (name: string) => string): void {
  for (const [index, firstName] of names.entries()) {
    const secondName = names.slice(index + 1).find((name) => flagsConflict(firstName, name, flags));
    if (secondName !== undefined) {
      throw new HarnessError(
        "usage",
        `${formatName(firstName)} cannot be used with ${formatName(secondName)}; remove one of them`,
      );
    }
  }
}

const isOnCommandLine = (command: Command, name: string): boolean => command.getOptionValueSource(name) === "cli";

/**
 * Turns on `--embedded` if `--fault` is on the command line. Faults exist only in the embedded server, so `--fault`
 * overrides a target set in the configuration or an environment variable. Ignores commands with a URL or target on
 * the command line: `rejectConflict` reports them. Returns whether it turned on `--embedded`.
 */
function implyEmbedded(command: Command): boolean {
  const isEmbeddedImplied =
    Object.hasOwn(flagsOf(command), "embedded") &&
    isOnCommandLine(command, "fault") &&
    !["url", "target", "embedded"].some((name) => isOnCommandLine(command, name));
  if (isEmbeddedImplied) {
    command.setOptionValueWithSource("embedded", true, "cli");
  }
  return isEmbeddedImplied;
}

/**
 * Ignores variables that conflict with flags on the command line, and returns a note about each. Throws a `HarnessError` if two flags or
 * two variables conflict.
 */
export function resolveConflicts(command: Command): readonly string[] {
  const flags = flagsOf(command);
  const isEmbeddedImplied = implyEmbedded(command);
  const commandLineNames = findFlagNames(command, "cli");
  const formatFlag = (name: string): string => formatFlagName(name, flags[name]);
  const formatVariable = (name: string): string => formatVariableName(name, flags[name]);
  rejectConflict(commandLineNames, flags, formatFlag);
  const notes = findFlagNames(command, "env").flatMap((name) => {
    const overridingFlag = commandLineNames.find((flag) => flagsConflict(name, flag, flags));
    if (overridingFlag === undefined) {
      return [];
    }
    command.setOptionValueWithSource(name, undefined, undefined);
    const overridingText = isEmbeddedImplied && overridingFlag === "embedded" ? "--fault" : formatFlag(overridingFlag);
    return [`${overridingText} is set, so ${formatVariable(name)} is ignored`];
  });
  rejectConflict(findFlagNames(command, "env"), flags, formatVariable);
  return notes;
}
