import { defined } from "@assay/contract";
import { nearestName } from "@assay/runner";
import { type Command, InvalidArgumentError, Option } from "commander";

/** The type of a value of a flag, as JSON Schema has it. */
export interface FlagSchema {
  readonly type: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: FlagSchema;
  /** Description of the value, if the other members are not enough: "a time with its unit, such as 15s". */
  readonly title?: string;
}

/** How the text of one value becomes the value, and the schema of that value in a configuration file. */
export interface Reader<Value> {
  readonly schema: FlagSchema;
  /** Fails with an `InvalidArgumentError`. `before` has the earlier values of a repeatable flag. */
  readonly read: (text: string, before?: readonly string[]) => Value;
}

/** A flag of a command, but for its name: the name is its key in the table of the command. */
export interface Flag<Value = unknown> extends Reader<Value> {
  /** As the help shows it: `<FILE>`, or `[N]` for an optional one; absent for a switch. */
  readonly argument?: string;
  readonly help: string;
  /** Heading in the help [Options]. */
  readonly heading?: string;
  /** Single letter. */
  readonly short?: string;
  /** A switch that is on without `--no-NAME`. */
  readonly isNegated?: boolean;
  readonly isHidden?: boolean;
  /** Whether the help lists the names of the schema. */
  readonly showsChoices?: boolean;
  readonly default?: Value;
  /** Text of an optional argument that is left out. */
  readonly preset?: string;
  /** Names of flags that cannot be given together with this one. */
  readonly conflicts?: readonly string[];
  /** Values that a shell completes [the names of the schema]. */
  readonly completions?: readonly string[];
}

/** The flags of a command by the name of their member in options and configuration: `tokenFile` is `--token-file`. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<Each> = Each extends Flag<infer Value> ? Value : never;
type WithDefault<Value> = Flag<Value> & { readonly default: Value };

/** The options that a command with these flags gets. */
export type OptionsOf<Table extends Flags> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown } ? Name : never]: ValueOf<
    Table[Name]
  >;
} & {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown } ? never : Name]?: ValueOf<
    Table[Name]
  >;
};

/** `token-file` for `tokenFile`, and `no-proof` for a negated `proof`. */
const longName = (name: string, { isNegated = false }: Pick<Flag, "isNegated">): string =>
  `${isNegated ? "no-" : ""}${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

/** A flag as it is typed: `--token-file`. */
export const typedFlag = (name: string, flag: Pick<Flag, "isNegated"> = {}): string => `--${longName(name, flag)}`;

/** The environment variable of a flag: `ASSAY_TOKEN_FILE` for `--token-file`. */
export const variableOf = (name: string, flag: Pick<Flag, "isNegated"> = {}): string =>
  `ASSAY_${longName(name, flag).toUpperCase().replaceAll("-", "_")}`;

/** Values of an environment variable that leave a switch off. */
const offValues: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** Whether an environment variable turns a switch off. */
export function isTurnedOff(name: string, flag: Flag, env: NodeJS.ProcessEnv): boolean {
  const value = env[variableOf(name, flag)];
  return flag.argument === undefined && value !== undefined && offValues.has(value.toLowerCase());
}

/** Heading of the flags that only `--help --all` shows. */
export const advancedHeading = "Advanced:";

export const isAdvanced = ({ heading }: Pick<Flag, "heading">): boolean => heading === advancedHeading;

/** Whether the values of a flag are paths, by how its argument is written. */
export const namesPath = ({ argument = "" }: Flag): boolean => /[<[](?:FILE|DIR|RUN)\b/u.test(argument);

/** Whether a flag may be given several times. */
export const isRepeatable = ({ schema }: Flag): boolean => schema.items !== undefined;

/**
 * The parser's form of a flag. A flag wins over its variable. A switch is on for any value of its variable but an empty one, `0`,
 * `false`, `no` and `off`.
 */
function optionOf(name: string, flag: Flag): Option {
  const { argument, help, heading, short, isHidden = false, preset, showsChoices = false, schema, read } = flag;
  const typed = [short === undefined ? [] : `-${short}`, typedFlag(name, flag)].flat().join(", ");
  const option = new Option(argument === undefined ? typed : `${typed} ${argument}`, help).hideHelp(isHidden);
  if (showsChoices) {
    option.choices(schema.enum ?? []);
  }
  if (argument !== undefined) {
    option
      .argParser<unknown>((given, before) => read(given, Array.isArray(before) ? before : []))
      .default(flag.default);
  }
  if (preset !== undefined) {
    option.preset(preset);
  }
  if (heading !== undefined) {
    option.helpGroup(heading);
  }
  // commander turns a switch on for any value of its variable; it reads process.env too.
  return isTurnedOff(name, flag, process.env) ? option : option.env(variableOf(name, flag));
}

const flagsOfCommands = new WeakMap<Command, Flags>();

/** The flags of a command; those of the program itself are not among them. */
export const flagsOf = (command: Command): Flags => flagsOfCommands.get(command) ?? {};

/** Adds flags to a command, in the order of their table. */
export function addFlags(command: Command, flags: Flags): Command {
  for (const [name, flag] of Object.entries(flags)) {
    command.addOption(optionOf(name, flag));
  }
  flagsOfCommands.set(command, flags);
  return command;
}

/** Puts flags under a heading of the help. The headings appear in the order of the table. */
export function group<Table extends Flags>(heading: string, flags: Table): Table;
export function group(heading: string, flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, heading }]));
}

/** Flags that a newcomer does not need: only `--help --all` shows them. */
export const advanced = <Table extends Flags>(flags: Table): Table => group(advancedHeading, flags);

/** A switch: it has no value. */
export const toggle = (help: string, short?: string): Flag<true> => ({
  help,
  schema: { type: "boolean" },
  read: () => true,
  ...defined({ short }),
});

/** A switch that is on; `--no-NAME` turns it off. */
export const turnOff = (help: string): WithDefault<boolean> => ({
  help,
  schema: { type: "boolean" },
  read: () => false,
  isNegated: true,
  default: true,
});

/** A flag whose value is read by a reader. */
export const valued = <Value>(argument: string, reader: Reader<Value>, help: string): Flag<Value> => ({
  argument,
  help,
  ...reader,
});

/** A flag that takes any text. */
export const text = (argument: string, help: string): Flag<string> =>
  valued(argument, { schema: { type: "string" }, read: (value) => value }, help);

/** A flag that takes any text, and is `true` without one. */
export const optionalText = (argument: string, help: string): Flag<string | true> =>
  valued(argument, { schema: { type: ["string", "boolean"] }, read: (value) => value }, help);

/** A flag that takes one of a few names, which its help lists. */
export const choice = <const Name extends string>(
  argument: string,
  names: readonly Name[],
  help: string,
): Flag<Name> => ({
  ...valued(argument, oneOf(names), help),
  showsChoices: true,
});

/** A flag with the value that it has when nothing else sets it. */
export const withDefault = <Value>(value: NoInfer<Value>, flag: Flag<Value>): WithDefault<Value> => ({
  ...flag,
  default: value,
});

/**
 * A flag that cannot be given together with others. The parser's own way would also refuse a variable that conflicts with the command
 * line, which wins.
 */
export const notWith = <Each extends Flag>(flag: Each, ...conflicts: readonly string[]): Each => ({
  ...flag,
  conflicts,
});

/** A message of a reader as a clause after a semicolon. */
export const asClause = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/u, "");

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads a whole number within bounds; anything else is refused with a sentence. */
export const wholeNumber = ({ min, max }: Bounds): Reader<number> => ({
  schema: { type: "integer", minimum: min, maximum: max },
  read: (given) => {
    const value = /^\d{1,15}$/u.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`);
    }
    return value;
  },
});

/** Reads a number within bounds, with at most six decimal places; anything else is refused with a sentence. */
export const someNumber = ({ min, max }: Bounds): Reader<number> => ({
  schema: { type: "number", minimum: min, maximum: max },
  read: (given) => {
    const value = /^\d{1,15}(?:\.\d{1,6})?$/u.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It has to be a number from ${min} to ${max}.`);
    }
    return value;
  },
});

/** Reads one of a few names; any other is refused with the nearest one. */
export const oneOf = <const Name extends string>(names: readonly Name[]): Reader<Name> => ({
  schema: { type: "string", enum: names },
  read: (given) => {
    const name = names.find((known) => known === given);
    if (name === undefined) {
      const near = nearestName(given, names);
      const hint = near === undefined ? "" : `Did you mean "${near}"? `;
      throw new InvalidArgumentError(`${hint}It takes ${names.join(", ")}.`);
    }
    return name;
  },
});

const repeatable = (texts: (given: string) => readonly string[]): Reader<readonly string[]> => ({
  schema: { type: ["string", "array"], items: { type: "string" } },
  read: (given, before = []) => [...before, ...texts(given)],
});

/** Collects a repeatable flag; several values in one text, such as that of a variable, are separated by commas. */
export const collected: Reader<readonly string[]> = repeatable((given) =>
  given
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

/** Collects a repeatable flag whose values may contain commas. */
export const appended: Reader<readonly string[]> = repeatable((given) => [given]);

/**
 * Collects faults: `id` or `id:name=value,name=value`, several in one text separated by commas. A part with `=` and no `:` before it is
 * another parameter of the fault before it. An empty text remains, so that it is refused as an unknown fault.
 */
export const faultsCollected: Reader<readonly string[]> = repeatable((given) => {
  const faults: string[] = [];
  for (const part of given.split(",").filter((each) => each.trim() !== "")) {
    const last = faults.at(-1);
    if (last?.includes(":") === true && /^[^:]*=/u.test(part)) {
      faults[faults.length - 1] = `${last},${part}`;
    } else {
      faults.push(part.trim());
    }
  }
  return faults.length === 0 ? [given] : faults;
});

/** `--bail`, with its effect. */
export const bailFlag = (effect: string): Flag<number> => ({
  ...valued("[N]", wholeNumber({ min: 1, max: 1000 }), `${effect} (without N: 1)`),
  preset: "1",
});

/** `--no-proof`, for commands that judge. */
export const noProof = advanced({ proof: turnOff("do not confirm passes with altered responses") });
