import { nearestName } from "@assay/runner";
import { InvalidArgumentError, Option } from "commander";

/** Values of a variable that leave a flag without a value off. */
const offValues: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/**
 * A flag that can also be set by a variable: `--token-file` by `ASSAY_TOKEN_FILE`. A flag wins over its variable. A flag
 * without a value is on for any value of its variable but an empty one, `0`, `false`, `no` and `off`.
 */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const variable = `ASSAY_${option.name().toUpperCase().replaceAll("-", "_")}`;
  // commander takes a set variable for yes, whatever it holds; it reads process.env too.
  const value = process.env[variable];
  const isOff = (option.isBoolean() || option.negate) && value !== undefined && offValues.has(value.toLowerCase());
  return isOff ? option : option.env(variable);
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads a whole number within bounds; anything else is refused with a sentence. */
export const wholeNumber =
  ({ min, max }: Bounds) =>
  (text: string): number => {
    const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`);
    }
    return value;
  };

/** Reads a number within bounds, with a point if need be; anything else is refused with a sentence. */
export const someNumber =
  ({ min, max }: Bounds) =>
  (text: string): number => {
    const value = /^\d{1,15}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It has to be a number from ${min} to ${max}.`);
    }
    return value;
  };

/** Reads one of a few names; any other is refused with the nearest one. */
export const oneOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Name => {
    const name = names.find((known) => known === text);
    if (name === undefined) {
      const near = nearestName(text, names);
      const hint = near === undefined ? "" : `Did you mean "${near}"? `;
      throw new InvalidArgumentError(`${hint}It takes ${names.join(", ")}.`);
    }
    return name;
  };

/** Collects a repeatable flag; several values in one, as a variable gives them, are separated by commas. */
export const collected = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  ...text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
];

/** Collects a repeatable flag whose values may hold commas. */
export const appended = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];
