import { HarnessError } from "@assay/contract";
import type { Command } from "commander";
import { flagsOf, typedFlag, variableOf } from "../flag.ts";

const isEmpty = (value: unknown): boolean =>
  value === "" || (Array.isArray(value) && value.some((each) => each === ""));

/** Without an address the embedded server would be tested, so the advice is never to leave `--url` out. */
const adviceFor = (name: string, otherwise: string): string =>
  name === "url" ? "look whether the variable that it is taken from is set" : otherwise;

/**
 * Refuses a flag or variable that is given and empty, for example from a shell variable that was never set: it would name the working
 * folder, or look as if it had been left out. Fails with a `HarnessError` that names it.
 */
export function refuseEmptyValues(command: Command): void {
  for (const [name, flag] of Object.entries(flagsOf(command))) {
    const source = command.getOptionValueSource(name);
    if ((source === "cli" || source === "env") && isEmpty(command.getOptionValue(name))) {
      throw new HarnessError(
        "usage",
        source === "cli"
          ? `${typedFlag(name, flag)} is given and empty; ${adviceFor(name, "give it a value, or leave it out")}`
          : `${variableOf(name, flag)} is set and empty; ${adviceFor(name, "give it a value, or unset it")}`,
      );
    }
  }
}
