import { nearestName } from "@assay/runner";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Values of a variable that leave a flag without a value off. */
const offValues: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** The variable of a flag: `ASSAY_TOKEN_FILE` of `--token-file`. */
export const variableOf = (option: Pick<Option, "name">): string =>
  `ASSAY_${option.name().toUpperCase().replaceAll("-", "_")}`;

/** Whether a variable says that a flag without a value is off. */
export function isTurnedOff(option: Option, env: NodeJS.ProcessEnv): boolean {
  const value = env[variableOf(option)];
  return (option.isBoolean() || option.negate) && value !== undefined && offValues.has(value.toLowerCase());
}

/**
 * A flag that can also be set by a variable: `--token-file` by `ASSAY_TOKEN_FILE`. A flag wins over its variable. A flag
 * without a value is on for any value of its variable but an empty one, `0`, `false`, `no` and `off`.
 */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  // commander takes a set variable for yes, whatever it holds; it reads process.env too.
  return isTurnedOff(option, process.env) ? option : option.env(variableOf(option));
}

/** Heading of the flags that only `--help --all` shows. */
const advancedHeading = "Advanced:";

/** A flag that a newcomer does not need: only `--help --all` shows it. */
export const advancedFlag = (flags: string, description: string): Option =>
  flag(flags, description).helpGroup(advancedHeading);

/** Whether only `--help --all` shows a flag. */
export const isAdvanced = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === advancedHeading;

/** Whether the values of a flag are paths, by how its argument is written. */
export const namesPath = ({ flags }: Pick<Option, "flags">): boolean => /[<[](?:FILE|DIR|RUN)\b/u.test(flags);

/** What a flag takes, as JSON Schema has it. */
export interface FlagSchema {
  readonly type: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: FlagSchema;
  /** What is expected, where the rest does not say it: "a time with its unit, such as 15s". */
  readonly title?: string;
}

/** What a reader says of a value, as it goes on after a semicolon. */
export const asClause = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/u, "");

type Reader<Value> = (text: string) => Value;
const schemas = new WeakMap<object, FlagSchema>();

/** A parser of a flag, and what it takes in a configuration file. */
export function reads<Value>(schema: FlagSchema, read: Reader<Value>): Reader<Value> {
  schemas.set(read, schema);
  return read;
}

/** Whether a flag may be given several times. */
export const isRepeatable = ({ parseArg }: Option): boolean =>
  [collected, appended, faultsCollected].some((parser) => parser === parseArg);

/** What a flag takes in a configuration file. */
export function schemaOfFlag(option: Option): FlagSchema {
  if (option.isBoolean() || option.negate) {
    return { type: "boolean" };
  }
  if (isRepeatable(option)) {
    return { type: ["string", "array"], items: { type: "string" } };
  }
  if (option.argChoices !== undefined) {
    return { type: "string", enum: option.argChoices };
  }
  const known = option.parseArg === undefined ? undefined : schemas.get(option.parseArg);
  return known ?? { type: option.optional && !option.required ? ["string", "boolean"] : "string" };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads a whole number within bounds; anything else is refused with a sentence. */
export const wholeNumber = ({ min, max }: Bounds): Reader<number> =>
  reads({ type: "integer", minimum: min, maximum: max }, (text) => {
    const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`);
    }
    return value;
  });

/** Reads a number within bounds, with a point if need be; anything else is refused with a sentence. */
export const someNumber = ({ min, max }: Bounds): Reader<number> =>
  reads({ type: "number", minimum: min, maximum: max }, (text) => {
    const value = /^\d{1,15}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It has to be a number from ${min} to ${max}.`);
    }
    return value;
  });

/** Reads one of a few names; any other is refused with the nearest one. */
export const oneOf = <Name extends string>(names: readonly Name[]): Reader<Name> =>
  reads({ type: "string", enum: names }, (text) => {
    const name = names.find((known) => known === text);
    if (name === undefined) {
      const near = nearestName(text, names);
      const hint = near === undefined ? "" : `Did you mean "${near}"? `;
      throw new InvalidArgumentError(`${hint}It takes ${names.join(", ")}.`);
    }
    return name;
  });

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

/**
 * Collects faults: `id` or `id:name=value,name=value`, several in one separated by commas. A part with `=` and no `:` before it is
 * another parameter of the fault before it. An empty text stays, to be refused as a fault that there is none of.
 */
export function faultsCollected(text: string, before: readonly string[] | undefined): readonly string[] {
  const faults: string[] = [];
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const last = faults.at(-1);
    if (last?.includes(":") === true && /^[^:]*=/u.test(part)) {
      faults[faults.length - 1] = `${last},${part}`;
    } else {
      faults.push(part.trim());
    }
  }
  return [...(before ?? []), ...(faults.length === 0 ? [text] : faults)];
}

/**
 * Puts the flags of a command under headings, in the order in which they stand here: what is used most comes first. Each flag is
 * named by its attribute. Advanced flags are not named: they follow under a heading of their own. No other flag may be left out.
 */
export function groupFlags(command: Command, groups: Readonly<Record<string, readonly string[]>>): void {
  const byName = new Map(command.options.map((option) => [option.attributeName(), option]));
  const options = Object.entries(groups).flatMap(([heading, names]) =>
    names.flatMap((name) => byName.get(name)?.helpGroup(heading) ?? []),
  );
  const others = command.options.filter((option) => !options.includes(option));
  const missing = others.filter((option) => !isAdvanced(option)).map(({ long }) => long);
  if (missing.length > 0) {
    throw new Error(`${missing.join(", ")} of ${command.name()} is under no heading`);
  }
  Object.assign(command, { options: [...options, ...others] });
}

/** `--bail`, with what it does. */
export const bailFlag = (effect: string): Option =>
  flag("--bail [N]", `${effect} (without N: 1)`)
    .preset("1")
    .argParser(wholeNumber({ min: 1, max: 1000 }));

/** `--no-proof`, for commands that judge. */
export const noProofFlag = (): Option => advancedFlag("--no-proof", "do not confirm passes with altered responses");
