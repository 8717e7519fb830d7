import { HarnessError } from "@assay/contract";
import type { Command } from "commander";
import { flagsOf, formatFlagName, formatVariableName } from "../flag.ts";

const isEmpty = (value: unknown): boolean =>
  value === "" || (Array.isArray(value) && value.some((text) => text === ""));

/** Never advises to remove `--url`: without a URL, the embedded server would be tested. */
const chooseAdvice = (name: string, defaultAdvice: string): string =>
  name === "url" ? "check that the variable it is taken from is set" : defaultAdvice;

/**
 * Rejects a flag or variable with an empty value, for example from a shell variable that was never set: it would mean the working folder,
 * or look like a flag that was not set. Throws a `HarnessError` that contains its name.
 */
export function rejectEmptyValues(command: Command): void {
  for (const [name, flag] of Object.entries(flagsOf(command))) {
    const source = command.getOptionValueSource(name);
    if ((source === "cli" || source === "env") && isEmpty(command.getOptionValue(name))) {
      throw new HarnessError(
        "usage",
        source === "cli"
          ? `${formatFlagName(name, flag)} is empty; ${chooseAdvice(name, "pass a value, or remove the flag")}`
          : `${formatVariableName(name, flag)} is set but empty; ${chooseAdvice(name, "set a value, or unset it")}`,
      );
    }
  }
}
