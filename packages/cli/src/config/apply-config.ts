import { dirname, isAbsolute, relative, resolve } from "node:path";
import { HarnessError, defined } from "@assay/contract";
import { isRecord } from "@assay/reading";
import { visibleText } from "@assay/evidence";
import { isShippedListName } from "@assay/runner";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Flag, asClause, flagsOf, isRepeatable, isTurnedOff, namesPath } from "../flag.ts";
import type { AssayConfig } from "./assay-config.ts";
import { areInConflict } from "./conflicting-flags.ts";
import type { SourcedValue, TargetChoice, TargetSelection, ValueSource } from "./choose-target.ts";
import { chooseTarget } from "./choose-target.ts";
import { sectionsOf } from "./command-options.ts";
import { type Sections, flagsOfTargets } from "./config-schema.ts";
import type { FileTargets } from "./file-targets.ts";
import { placeholderUrls } from "./file-targets.ts";
import type { ConfigFile } from "./find-config.ts";
import type { LoadedConfig } from "./load-config.ts";
import { loadConfig } from "./load-config.ts";

/** A value of the file for a flag, and the path of its member. */
interface FileValue {
  readonly path: string;
  readonly value: unknown;
}

interface Place {
  readonly file: ConfigFile;
  readonly cwd: string;
}

/** Whether a text is a path: not `-`, an address or a shipped list. */
const isPath = (text: string): boolean => text !== "-" && !/^[a-z]+:\/\//iu.test(text) && !isShippedListName(text);

/** Paths in a file are relative to its folder. */
function fromItsFolder(text: string, { file, cwd }: Place): string {
  return isAbsolute(text) ? text : relative(cwd, resolve(dirname(file.path), text)) || ".";
}

const isText = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

/** The value that a flag reads from one text. */
function readText(flag: Flag, { text, path }: { readonly text: string; readonly path: string }, place: Place): unknown {
  try {
    return flag.read(namesPath(flag) && isPath(text) ? fromItsFolder(text, place) : text);
  } catch (cause) {
    throw cause instanceof InvalidArgumentError
      ? new HarnessError(
          "usage",
          `${place.file.shown}: ${path} is "${visibleText(text, 60)}"; ${asClause(cause.message)}`,
          {
            cause,
          },
        )
      : cause;
  }
}

/** The value of a switch; undefined for its default. */
const valueOfSwitch = ({ isNegated = false }: Flag, isOn: boolean): boolean | undefined =>
  isOn === isNegated ? undefined : isOn;

/** The value that the flag would have with this text on the command line. */
function valueOfFlag(flag: Flag, { path, value }: FileValue, place: Place): unknown {
  if (typeof value === "boolean") {
    return valueOfSwitch(flag, value);
  }
  const texts = (Array.isArray(value) ? value : [value]).filter(isText).map(String);
  const values = texts.map((text) => readText(flag, { text, path }, place));
  // An empty list is a value too.
  return isRepeatable(flag) ? values.flat() : values.at(-1);
}

/** The effect of a configuration file on a command. */
export interface AppliedConfig {
  readonly file?: ConfigFile;
  /** The chosen target. */
  readonly target?: string;
  /** Targets of the file if none was chosen and the command needs one, without the placeholders of `init` [none]. */
  readonly unchosen?: readonly string[];
  /** Source member of each value, by the name of the flag. */
  readonly members: ReadonlyMap<string, string>;
  /** Sentences about ignored values. */
  readonly notes: readonly string[];
}

/** Commands whose `--url` is the current address of earlier targets, while `--target` selects runs. */
const withoutAddress: ReadonlySet<string> = new Set(["cleanup"]);

const takesTarget = (command: Command): boolean => Object.hasOwn(flagsOf(command), "target");

/** Whether a value comes from a flag or a variable; undefined for neither. */
function sourceOf(command: Command, name: string, env: NodeJS.ProcessEnv): ValueSource | undefined {
  const source = command.getOptionValueSource(name);
  if (source === "cli" || source === "env") {
    return source === "cli" ? "flag" : "variable";
  }
  const flag = flagsOf(command)[name];
  return flag !== undefined && isTurnedOff(name, flag, env) ? "variable" : undefined;
}

function given(command: Command, name: string, env: NodeJS.ProcessEnv): SourcedValue<string> | undefined {
  const by = sourceOf(command, name, env);
  const value: unknown = command.getOptionValue(name);
  return by === undefined || typeof value !== "string" ? undefined : { value, by };
}

type Section = Readonly<Record<string, unknown>>;

const sectionOf = (command: Command, config: AssayConfig): Section => {
  const section = new Map<string, unknown>(Object.entries(config)).get(command.name());
  return isRecord(section) ? section : {};
};

/** The choice of the address by flags, variables and the section of the command. */
function selectionOf(command: Command, section: Section, env: NodeJS.ProcessEnv): TargetSelection {
  const [target, url] = [given(command, "target", env), given(command, "url", env)];
  const embeddingFlag = command.getOptionValue("against") === "embedded" ? "against" : "embedded";
  const isEmbedded = embeddingFlag === "against" || command.getOptionValue("embedded") === true;
  const embeddedBy = isEmbedded ? sourceOf(command, embeddingFlag, env) : undefined;
  const { SRC_ENDPOINT: endpoint } = env;
  return {
    ...defined({ target, url }),
    ...(embeddedBy === undefined ? {} : { embedded: { value: true, by: embeddedBy, flag: embeddingFlag } }),
    ...defined({ endpoint }),
    section: {
      ...(typeof section["url"] === "string" ? { url: section["url"] } : {}),
      ...(typeof section["embedded"] === "boolean" ? { embedded: section["embedded"] } : {}),
    },
  };
}

/** The chosen target; none for a command that sends no requests. */
function choiceFor(command: Command, { config }: LoadedConfig, env: NodeJS.ProcessEnv): TargetChoice {
  const selection = selectionOf(command, sectionOf(command, config), env);
  if (!takesTarget(command)) {
    return { address: "section", notes: [] };
  }
  if (!withoutAddress.has(command.name())) {
    return chooseTarget(selection, config);
  }
  const { target, url } = selection;
  const address = url === undefined ? {} : { url };
  const { name } = target === undefined ? {} : chooseTarget({ target, ...address, section: {} }, config);
  return name === undefined ? { address: "section", notes: [] } : { name, notes: [] };
}

interface Layers {
  readonly command: Command;
  readonly config: AssayConfig;
  readonly choice: TargetChoice;
}

/** The value of a target for a flag. For a load it is all queries. Tokens and headers are not flags. */
function valueOfTarget(name: string, { command, config, choice }: Layers): FileValue | undefined {
  const target = choice.name === undefined ? undefined : config.targets?.[choice.name];
  if (target === undefined) {
    return undefined;
  }
  const member = name === "query" && command.name() === "load" && target.queries !== undefined ? "queries" : name;
  const isAside = member === "url" && choice.address !== "target";
  const value = isAside ? undefined : new Map<string, unknown>(Object.entries(target)).get(member);
  return value === undefined ? undefined : { path: `targets.${choice.name}.${member}`, value };
}

/** Flags that choose an address. */
const addresses: ReadonlySet<string> = new Set(["url", "embedded"]);

function fileValueOf(name: string, layers: Layers): FileValue | undefined {
  const { command, config, choice } = layers;
  const isAside = addresses.has(name) && choice.address !== "section";
  const value = isAside ? undefined : sectionOf(command, config)[name];
  return (
    valueOfTarget(name, layers) ?? (value === undefined ? undefined : { path: `${command.name()}.${name}`, value })
  );
}

interface FromFile extends FileValue {
  readonly name: string;
  readonly flag: Flag;
}

/** The values of the file that do not conflict with flags and variables. Fails if two of them conflict with each other. */
function withoutConflicts(values: readonly FromFile[], command: Command, file: ConfigFile): readonly FromFile[] {
  const flags = flagsOf(command);
  const given = Object.keys(flags).filter(
    (name) => command.getOptionValue(name) !== undefined && isGiven(command, name),
  );
  const kept = values.filter(
    ({ name, value }) => value !== false && !given.some((other) => areInConflict(name, other, flags)),
  );
  for (const one of kept) {
    const other = kept.find(({ name }) => areInConflict(one.name, name, flags));
    if (other !== undefined) {
      throw new HarnessError(
        "usage",
        `${file.shown}: ${one.path} and ${other.path} cannot be set together; leave out one of them`,
      );
    }
  }
  return [...kept, ...values.filter(({ value }) => value === false)];
}

const isGiven = (command: Command, name: string): boolean =>
  ["cli", "env"].includes(command.getOptionValueSource(name) ?? "");

/** A chosen target replaces the address of weaker sources. */
function clearAddress(command: Command, { address }: TargetChoice): void {
  if (address === "target") {
    for (const name of addresses) {
      command.setOptionValueWithSource(name, undefined, "config");
    }
  }
}

/** Sets the values of the file for a command. Returns their source members. */
function setFromFile(layers: Layers, file: ConfigFile, { cwd, env }: CommandContext): ReadonlyMap<string, string> {
  const { command, choice } = layers;
  clearAddress(command, choice);
  const found = Object.entries(flagsOf(command)).flatMap(([name, flag]): readonly FromFile[] => {
    const value =
      flagsOfTargets.has(name) || sourceOf(command, name, env) !== undefined ? undefined : fileValueOf(name, layers);
    return value === undefined ? [] : [{ ...value, name, flag }];
  });
  const members = new Map<string, string>();
  for (const each of withoutConflicts(found, command, file)) {
    const { name, flag } = each;
    const value = valueOfFlag(flag, each, { file, cwd });
    if (value !== undefined) {
      command.setOptionValueWithSource(name, value, "config");
    }
    members.set(name, each.path);
  }
  return members;
}

/**
 * The configuration that `--config` names or that is found from the working folder; empty with `--no-config`. Sections are checked if
 * the flags of their commands are given.
 */
export async function configOf(
  program: Command,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
  sections?: Sections,
): Promise<LoadedConfig> {
  const { config }: { readonly config?: unknown } = program.opts();
  const file = typeof config === "string" ? config : undefined;
  return config === false ? { config: {} } : loadConfig({ cwd, env, ...defined({ file, sections }) });
}

const applied = new WeakMap<Command, AppliedConfig>();

/** The effect of the configuration file on a parsed command; undefined before `applyConfig`. */
export const appliedTo = (command: Command): AppliedConfig | undefined => applied.get(command);

/** Sets the targets of the file and the values for the flags of a command. */
function applyFile(command: Command, loaded: LoadedConfig, context: CommandContext): AppliedConfig {
  const { file, config } = loaded;
  if (file === undefined) {
    refuseTargetWithoutFile(command);
    return { members: new Map(), notes: [] };
  }
  const choice = choiceFor(command, loaded, context.env);
  const { name } = choice;
  if (takesTarget(command)) {
    const chosen = name === undefined ? {} : { chosen: name };
    const fileTargets: FileTargets = { file, targets: config.targets ?? {}, ...chosen };
    command.setOptionValueWithSource("fileTargets", fileTargets, "config");
  }
  const members = setFromFile({ command, config, choice }, file, context);
  return {
    file,
    members,
    notes: choice.notes,
    unchosen: unchosenTargets(command, choice, config),
    ...defined({ target: name }),
  };
}

/** Commands that test the embedded server if nothing names a target. */
const defaultToEmbedded: ReadonlySet<string> = new Set(["run", "doctor", "load"]);

function unchosenTargets(command: Command, { name, address }: TargetChoice, { targets = {} }: AssayConfig) {
  const { url, embedded } = command.opts<{ readonly url?: string; readonly embedded?: boolean }>();
  const isOpen = name === undefined && address === "section" && url === undefined && embedded !== true;
  return isOpen && defaultToEmbedded.has(command.name())
    ? Object.keys(targets).filter((each) => !placeholderUrls.includes(targets[each]?.url ?? ""))
    : [];
}

/**
 * Sets the values of the configuration file for a parsed command. They are weaker than flags and variables and stronger than defaults. A
 * list from a flag or variable replaces that of the file. Fails with a `HarnessError` for every mistake in the file.
 */
export async function applyConfig(command: Command, program: Command, context: CommandContext): Promise<AppliedConfig> {
  const result = applyFile(command, await configOf(program, context, sectionsOf(program)), context);
  applied.set(command, result);
  return result;
}

const shownOnly = new WeakSet<Command>();

/** Marks a command whose values are only shown, so that it sends nothing. */
export const markAsShown = (command: Command): void => void shownOnly.add(command);

/**
 * Fails with a `HarnessError` before a command sends anything, if its target still has the placeholder address of `assay init`, or if the
 * file has targets and none was chosen: a test of the embedded server would look like a test of one of them.
 */
export function refuseWrongTarget({ file, target, unchosen = [] }: AppliedConfig, command: Command): void {
  if (file === undefined || shownOnly.has(command)) {
    return;
  }
  if (unchosen.length > 0) {
    throw new HarnessError(
      "usage",
      `${file.shown} names ${unchosen.slice(0, 4).join(", ")}, and none was chosen: give --target, set defaultTarget, or test the embedded server with --no-config`,
    );
  }
  const url: unknown = command.getOptionValue("url");
  if (target !== undefined && typeof url === "string" && placeholderUrls.includes(url)) {
    throw new HarnessError(
      "usage",
      `${file.shown}: set \`targets.${target}.url\` first; ${url} is the placeholder that \`assay init\` wrote`,
    );
  }
}

function refuseTargetWithoutFile(command: Command): void {
  const target: unknown = command.getOptionValue("target");
  if (takesTarget(command) && typeof target === "string") {
    throw new HarnessError(
      "usage",
      `there is no target "${target}", since there is no configuration file here; write one with \`assay init\`, or give --url`,
    );
  }
}
