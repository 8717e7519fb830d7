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

/** A value of the file for a flag, and the member that it stands in. */
interface FileValue {
  readonly path: string;
  readonly value: unknown;
}

interface Place {
  readonly file: ConfigFile;
  readonly cwd: string;
}

/** Neither standard input, nor an address, nor an included list, nor a mark such as `-`. */
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

/** What a configuration file has given to a command. */
export interface AppliedConfig {
  readonly file?: ConfigFile;
  /** The target that was chosen. */
  readonly target?: string;
  /** Targets that the file names, of which none was chosen though the command needs one; not those that `init` wrote [none]. */
  readonly unchosen?: readonly string[];
  /** Members that values come from, by the attribute of the flag. */
  readonly members: ReadonlyMap<string, string>;
  /** Sentences about what was ignored. */
  readonly notes: readonly string[];
}

/** Commands whose `--url` says where runs are now; a target says which runs are meant. */
const withoutAddress: ReadonlySet<string> = new Set(["cleanup"]);

const takesTarget = (command: Command): boolean => Object.hasOwn(flagsOf(command), "target");

/** Whether flag or variable have said it. */
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

/** What was said about the address, and what the section says. */
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

/** Which target is meant; none for a command that talks to no instance. */
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

/** What a target says of a flag; of a load run's queries, all it has. Tokens and headers are no flags. */
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

/** Flags that say where to go. */
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

/** Of the values of the file those that go with what was said more strongly. Fails where two of them contradict each other. */
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

/** A target that was named explicitly stands for what weaker sources say of the address. */
function takeAddress(command: Command, { address }: TargetChoice): void {
  if (address === "target") {
    for (const name of addresses) {
      command.setOptionValueWithSource(name, undefined, "config");
    }
  }
}

/** Gives a command what the file says of its flags; returns the members that it comes from. */
function setFromFile(layers: Layers, file: ConfigFile, { cwd, env }: CommandContext): ReadonlyMap<string, string> {
  const { command, choice } = layers;
  takeAddress(command, choice);
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
 * The configuration that `--config` names or that is found here, empty with `--no-config`. Sections of commands are checked by their
 * flags where these are given.
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

/** What a configuration file has given to a command that was parsed; undefined where it has not been asked yet. */
export const appliedTo = (command: Command): AppliedConfig | undefined => applied.get(command);

/** Gives a command the targets of the file, and values for its flags. */
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

/** Commands that test the embedded server where nothing names a target. */
const defaultToEmbedded: ReadonlySet<string> = new Set(["run", "doctor", "load"]);

function unchosenTargets(command: Command, { name, address }: TargetChoice, { targets = {} }: AssayConfig) {
  const { url, embedded } = command.opts<{ readonly url?: string; readonly embedded?: boolean }>();
  const isOpen = name === undefined && address === "section" && url === undefined && embedded !== true;
  return isOpen && defaultToEmbedded.has(command.name())
    ? Object.keys(targets).filter((each) => !placeholderUrls.includes(targets[each]?.url ?? ""))
    : [];
}

/**
 * Gives a command that has been parsed the values of the configuration file, weaker than flags and variables and stronger than
 * defaults. Lists of a flag or variable replace those of the file. Fails with a `HarnessError` for every mistake in the file.
 */
export async function applyConfig(command: Command, program: Command, context: CommandContext): Promise<AppliedConfig> {
  const result = applyFile(command, await configOf(program, context, sectionsOf(program)), context);
  applied.set(command, result);
  return result;
}

const shownOnly = new WeakSet<Command>();

/** Says that a command will send nothing: only its values are shown. */
export const onlyShow = (command: Command): void => void shownOnly.add(command);

/**
 * Refuses, for a command that is about to send something, a target whose address is still the one that `assay init` wrote, and a
 * file with targets of which none was chosen: a test of the embedded server would look like one of them. Fails with a `HarnessError`.
 */
export function refuseWrongTarget({ file, target, unchosen = [] }: AppliedConfig, command: Command): void {
  if (file === undefined || shownOnly.has(command)) {
    return;
  }
  if (unchosen.length > 0) {
    throw new HarnessError(
      "usage",
      `${file.shown} names ${unchosen.slice(0, 4).join(", ")}, and none was chosen: give --target, set defaultTarget, or test the embedded server by --no-config`,
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
      `there is no target "${target}", since there is no configuration file here; write one by \`assay init\`, or give --url`,
    );
  }
}
