import { HarnessError } from "@assay/contract";
import type { Command, Option } from "commander";
import { variableOf } from "../flag.ts";

const isEmpty = (value: unknown): boolean =>
  value === "" || (Array.isArray(value) && value.some((each) => each === ""));

/** Without an address the embedded server would be tested, so nobody is told to leave it out. */
const adviceFor = (option: Option, otherwise: string): string =>
  option.attributeName() === "url" ? "look whether the variable that it is taken from is set" : otherwise;

/**
 * Refuses a flag or variable that is given and empty, as a variable of a shell is that was never set: it would name the working
 * folder, or be taken for one that was left out. Fails with a `HarnessError` that says which.
 */
export function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    const source = command.getOptionValueSource(option.attributeName());
    if ((source === "cli" || source === "env") && isEmpty(command.getOptionValue(option.attributeName()))) {
      throw new HarnessError(
        "usage",
        source === "cli"
          ? `${option.long ?? ""} is given and empty; ${adviceFor(option, "give it a value, or leave it out")}`
          : `${variableOf(option)} is set and empty; ${adviceFor(option, "give it a value, or unset it")}`,
      );
    }
  }
}
