import { defined } from "@assay/contract";
import { nearestName } from "@assay/runner";
import { type Command, InvalidArgumentError, Option } from "commander";

/** JSON Schema of a flag's value. */
export interface FlagSchema {
  readonly type: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: FlagSchema;
  /** Description of the value, if the other members do not describe it: "a time with its unit, such as 15s". */
  readonly title?: string;
  /** Note about the value that follows the help text in the schema of the configuration file. */
  readonly description?: string;
}

/** Parses the value of a flag. The schema describes the value in a configuration file. */
export interface Reader<Value> {
  readonly schema: FlagSchema;
  /** Throws an `InvalidArgumentError`. `earlierValues` contains the earlier values of a repeatable flag. */
  readonly read: (text: string, earlierValues?: readonly string[]) => Value;
}

/** A flag of a command, without its name. The name is its key in the table of the command. */
export interface Flag<Value = unknown> extends Reader<Value> {
  /** The argument as shown in help output: `<FILE>`, or `[N]` if it is optional. Undefined for a switch. */
  readonly argument?: string;
  readonly help: string;
  /** Heading in help output. Default: `Options`. */
  readonly heading?: string;
  /** Single letter. */
  readonly short?: string;
  /** Whether the switch is on unless `--no-NAME` is set. */
  readonly isNegated?: boolean;
  readonly isHidden?: boolean;
  /** Whether help output lists the names of the schema. */
  readonly showsChoices?: boolean;
  readonly default?: Value;
  /** Value of an optional argument that is omitted. */
  readonly preset?: string;
  /** Names of flags that cannot be used together with this flag. */
  readonly conflicts?: readonly string[];
  /** Values that a shell completes. Default: the names of the schema. */
  readonly completions?: readonly string[];
}

/** The flags of a command, keyed by their member in options and configuration: `tokenFile` is `--token-file`. */
export type Flags = Readonly<Record<string, Flag>>;

type FlagValue<FlagType> = FlagType extends Flag<infer Value> ? Value : never;
type WithDefault<Value> = Flag<Value> & { readonly default: Value };

/** The options of a command with these flags. */
export type OptionsOf<Table extends Flags> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown } ? Name : never]: FlagValue<
    Table[Name]
  >;
} & {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown } ? never : Name]?: FlagValue<
    Table[Name]
  >;
};

/** Returns `token-file` for `tokenFile`, and `no-proof` for a negated `proof`. */
const formatLongName = (name: string, { isNegated = false }: Pick<Flag, "isNegated">): string =>
  `${isNegated ? "no-" : ""}${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

/** Returns a flag as it appears on the command line: `--token-file`. */
export const formatFlagName = (name: string, flag: Pick<Flag, "isNegated"> = {}): string =>
  `--${formatLongName(name, flag)}`;

/** Returns the environment variable of a flag: `ASSAY_TOKEN_FILE` for `--token-file`. */
export const formatVariableName = (name: string, flag: Pick<Flag, "isNegated"> = {}): string =>
  `ASSAY_${formatLongName(name, flag).toUpperCase().replaceAll("-", "_")}`;

/** Values of an environment variable that turn a switch off. */
const offValues: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** Reports whether an environment variable turns a switch off. */
export function isTurnedOff(name: string, flag: Flag, env: NodeJS.ProcessEnv): boolean {
  const value = env[formatVariableName(name, flag)];
  return flag.argument === undefined && value !== undefined && offValues.has(value.toLowerCase());
}

/** Heading of the flags that only `--help --all` shows. */
export const advancedHeading = "Advanced:";

export const isAdvanced = ({ heading }: Pick<Flag, "heading">): boolean => heading === advancedHeading;

/** Reports whether the values of a flag are paths, according to the name of its argument. */
export const takesPath = ({ argument = "" }: Flag): boolean => /[<[](?:FILE|DIR|RUN)\b/u.test(argument);

/** Reports whether a flag may be repeated. */
export const isRepeatable = ({ schema }: Flag): boolean => schema.items !== undefined;

/**
 * Converts a flag to an option of the parser. A flag overrides its variable. Any value of the variable turns a switch on, except an empty
 * value, `0`, `false`, `no` and `off`.
 */
function createOption(name: string, flag: Flag): Option {
  const { argument, help, heading, short, isHidden = false, preset, showsChoices = false, schema, read } = flag;
  const flagText = [short === undefined ? [] : `-${short}`, formatFlagName(name, flag)].flat().join(", ");
  const option = new Option(argument === undefined ? flagText : `${flagText} ${argument}`, help).hideHelp(isHidden);
  if (showsChoices) {
    option.choices(schema.enum ?? []);
  }
  if (argument !== undefined) {
    option
      .argParser<unknown>((argumentText, earlierValues) =>
        read(argumentText, Array.isArray(earlierValues) ? earlierValues : []),
      )
      .default(flag.default);
  }
  if (preset !== undefined) {
    option.preset(preset);
  }
  if (heading !== undefined) {
    option.helpGroup(heading);
  }
  // commander turns a switch on for any value of its variable. It reads process.env too.
  return isTurnedOff(name, flag, process.env) ? option : option.env(formatVariableName(name, flag));
}

const flagsOfCommands = new WeakMap<Command, Flags>();

/** The flags of a command, without the program's global flags. */
export const flagsOf = (command: Command): Flags => flagsOfCommands.get(command) ?? {};

/** Adds flags to a command, in the order of their table. */
export function addFlags(command: Command, flags: Flags): Command {
  for (const [name, flag] of Object.entries(flags)) {
    command.addOption(createOption(name, flag));
  }
  flagsOfCommands.set(command, flags);
  return command;
}

/** Puts flags under a heading in help output. The headings appear in the order of the table. */
export function withHeading<Table extends Flags>(heading: string, flags: Table): Table;
export function withHeading(heading: string, flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, heading }]));
}

/** Flags that newcomers do not need. Only `--help --all` shows them. */
export const advancedFlags = <Table extends Flags>(flags: Table): Table => withHeading(advancedHeading, flags);

/** A switch, which has no value. */
export const switchFlag = (help: string, short?: string): Flag<true> => ({
  help,
  schema: { type: "boolean" },
  read: () => true,
  ...defined({ short }),
});

/** A switch that is on by default. `--no-NAME` turns it off. */
export const negatedFlag = (help: string): WithDefault<boolean> => ({
  help,
  schema: { type: "boolean" },
  read: () => false,
  isNegated: true,
  default: true,
});

/** A flag whose value is parsed by a reader. */
export const valueFlag = <Value>(argument: string, reader: Reader<Value>, help: string): Flag<Value> => ({
  argument,
  help,
  ...reader,
});

/** A flag with a string value. */
export const textFlag = (argument: string, help: string): Flag<string> =>
  valueFlag(argument, { schema: { type: "string" }, read: (value) => value }, help);

/** A flag with an optional string value. Without one, the value is `true`. */
export const optionalTextFlag = (argument: string, help: string): Flag<string | true> =>
  valueFlag(argument, { schema: { type: ["string", "boolean"] }, read: (value) => value }, help);

/** A flag whose value is one of a few names, which help output lists. */
export const choiceFlag = <const Name extends string>(
  argument: string,
  names: readonly Name[],
  help: string,
): Flag<Name> => ({
  ...valueFlag(argument, readOneOf(names), help),
  showsChoices: true,
});

/** A flag with a default value. */
export const withDefault = <Value>(value: NoInfer<Value>, flag: Flag<Value>): WithDefault<Value> => ({
  ...flag,
  default: value,
});

/**
 * A flag that conflicts with others. Does not use conflicts of the parser, which would also reject a variable that is overridden by the
 * command line.
 */
export const withConflicts = <FlagType extends Flag>(flag: FlagType, ...conflicts: readonly string[]): FlagType => ({
  ...flag,
  conflicts,
});

/** Converts the message of a reader to a clause that follows a semicolon. */
export const toClause = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/u, "");

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Parses a whole number within bounds. Rejects anything else with a message. */
export const wholeNumber = ({ min, max }: Bounds): Reader<number> => ({
  schema: { type: "integer", minimum: min, maximum: max },
  read: (input) => {
    const value = /^\d{1,15}$/u.test(input) ? Number(input) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  },
});

/** Parses a number within bounds, with at most six decimal places. Rejects anything else with a message. */
export const decimalNumber = ({ min, max }: Bounds): Reader<number> => ({
  schema: { type: "number", minimum: min, maximum: max },
  read: (input) => {
    const value = /^\d{1,15}(?:\.\d{1,6})?$/u.test(input) ? Number(input) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  },
});

/** Accepts one of a few names. Rejects others and suggests the nearest one. */
export const readOneOf = <const Name extends string>(names: readonly Name[]): Reader<Name> => ({
  schema: { type: "string", enum: names },
  read: (input) => {
    const name = names.find((candidate) => candidate === input);
    if (name === undefined) {
      const suggestion = nearestName(input, names);
      const hint = suggestion === undefined ? "" : `Did you mean "${suggestion}"? `;
      throw new InvalidArgumentError(`${hint}Choose one of ${names.join(", ")}.`);
    }
    return name;
  },
});

const repeatable = (split: (argumentText: string) => readonly string[]): Reader<readonly string[]> => ({
  schema: { type: ["string", "array"], items: { type: "string" } },
  read: (input, earlierValues = []) => [...earlierValues, ...split(input)],
});

/** Collects a repeatable flag. Splits each value at commas, for example the value of a variable. */
export const commaSeparatedList: Reader<readonly string[]> = repeatable((input) =>
  input
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

/** Collects a repeatable flag whose values may contain commas. */
export const repeatedText: Reader<readonly string[]> = repeatable((input) => [input]);

/**
 * Collects faults: `id` or `id:name=value,name=value`, separated by commas. A part with `=` and no `:` before it is another parameter of
 * the preceding fault. Keeps an empty string, so that it is rejected as an unknown fault.
 */
export const faultList: Reader<readonly string[]> = repeatable((input) => {
  const faults: string[] = [];
  for (const part of input.split(",").filter((text) => text.trim() !== "")) {
    const lastFault = faults.at(-1);
    if (lastFault?.includes(":") === true && /^[^:]*=/u.test(part)) {
      faults[faults.length - 1] = `${lastFault},${part}`;
    } else {
      faults.push(part.trim());
    }
  }
  return faults.length === 0 ? [input] : faults;
});

/** `--bail`, with a description of its effect. */
export const bailFlag = (effect: string): Flag<number> => ({
  ...valueFlag("[N]", wholeNumber({ min: 1, max: 1000 }), `${effect} (without N: 1)`),
  preset: "1",
});

/** `--no-proof`, for commands that judge. */
export const noProofFlag = advancedFlags({ proof: negatedFlag("do not confirm passes with altered responses") });
