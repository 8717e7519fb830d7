import { dirname, isAbsolute, relative, resolve } from "node:path";
import { HarnessError, defined } from "@assay/contract";
import { isRecord } from "@assay/reading";
import { visibleText } from "@assay/evidence";
import { isShippedListName } from "@assay/runner";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Flag, toClause, flagsOf, isRepeatable, isTurnedOff, takesPath } from "../flag.ts";
import type { AssayConfig } from "./assay-config.ts";
import { flagsConflict } from "./conflicting-flags.ts";
import type { SourcedValue, TargetChoice, TargetSelection, ValueSource } from "./choose-target.ts";
import { chooseTarget } from "./choose-target.ts";
import { type CommandFlags, targetOnlyFlags } from "./config-schema.ts";
import type { FileTargets } from "./file-targets.ts";
import { placeholderUrls } from "./file-targets.ts";
import type { ConfigFile } from "./find-config.ts";
import type { LoadedConfig } from "./load-config.ts";
import { loadConfig } from "./load-config.ts";

/** A value in the file, and the path of its member. */
interface FileValue {
  readonly path: string;
  readonly value: unknown;
}

interface FileContext {
  readonly file: ConfigFile;
  readonly cwd: string;
}

/** Reports whether a string is a path, and not `-`, a URL or a shipped list. */
const isPath = (text: string): boolean => text !== "-" && !/^[a-z]+:\/\//iu.test(text) && !isShippedListName(text);

/** Resolves a path that is relative to the folder of the configuration file. */
function resolveFromFile(text: string, { file, cwd }: FileContext): string {
  return isAbsolute(text) ? text : relative(cwd, resolve(dirname(file.path), text)) || ".";
}

const isTextOrNumber = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** Parses one string of the file as the value of a flag. */
function parseFlagText(
  flag: Flag,
  { text, path }: { readonly text: string; readonly path: string },
  fileContext: FileContext,
): unknown {
  try {
    return flag.read(takesPath(flag) && isPath(text) ? resolveFromFile(text, fileContext) : text);
  } catch (cause) {
    throw cause instanceof InvalidArgumentError
      ? new HarnessError(
          "usage",
          `${fileContext.file.displayPath}: ${path} is "${visibleText(text, 60)}"; ${toClause(cause.message)}`,
          {
            cause,
          },
        )
      : cause;
  }
}

/** Returns the value of a switch. Returns undefined if it is the default. */
const parseSwitch = ({ isNegated = false }: Flag, isOn: boolean): boolean | undefined =>
  isOn === isNegated ? undefined : isOn;

/** Returns the value that the flag would have if the command line contained this value. */
function parseFlagValue(flag: Flag, { path, value }: FileValue, fileContext: FileContext): unknown {
  if (typeof value === "boolean") {
    return parseSwitch(flag, value);
  }
  const flagTexts = (Array.isArray(value) ? value : [value]).filter(isTextOrNumber).map(String);
  const values = flagTexts.map((text) => parseFlagText(flag, { text, path }, fileContext));
  // An empty list is a value too.
  return isRepeatable(flag) ? values.flat() : values.at(-1);
}

/** The effect of a configuration file on a command. */
export interface AppliedConfig {
  readonly file?: ConfigFile;
  /** The chosen target. */
  readonly target?: string;
  /** Targets of the file, without the placeholders of `init`, if the command needs one and none was chosen. */
  readonly unchosenTargets?: readonly string[];
  /** Member of the file that set each flag, by the name of the flag. */
  readonly members: ReadonlyMap<string, string>;
  /** Notes about ignored values. */
  readonly notes: readonly string[];
}

/** Commands whose `--target` selects runs. Their `--url` is the current URL of the targets of those runs. */
const runSelectingCommands: ReadonlySet<string> = new Set(["cleanup"]);

const acceptsTarget = (command: Command): boolean => Object.hasOwn(flagsOf(command), "target");

/** Returns `flag` or `variable`, or undefined if neither sets the value. */
function findSource(command: Command, name: string, env: NodeJS.ProcessEnv): ValueSource | undefined {
  const source = command.getOptionValueSource(name);
  if (source === "cli" || source === "env") {
    return source === "cli" ? "flag" : "variable";
  }
  const flag = flagsOf(command)[name];
  return flag !== undefined && isTurnedOff(name, flag, env) ? "variable" : undefined;
}

function findStringSetting(command: Command, name: string, env: NodeJS.ProcessEnv): SourcedValue<string> | undefined {
  const source = findSource(command, name, env);
  const value: unknown = command.getOptionValue(name);
  return source === undefined || typeof value !== "string" ? undefined : { value, source };
}

type Section = Readonly<Record<string, unknown>>;

const findSection = (command: Command, config: AssayConfig): Section => {
  const section = new Map<string, unknown>(Object.entries(config)).get(command.name());
  return isRecord(section) ? section : {};
};

/** Reads the URL settings from flags, variables and the section of the command. */
function readSelection(command: Command, section: Section, env: NodeJS.ProcessEnv): TargetSelection {
  const [target, url] = [findStringSetting(command, "target", env), findStringSetting(command, "url", env)];
  const embeddingFlag = command.getOptionValue("against") === "embedded" ? "against" : "embedded";
  const isEmbedded = embeddingFlag === "against" || command.getOptionValue("embedded") === true;
  const embeddedSource = isEmbedded ? findSource(command, embeddingFlag, env) : undefined;
  const { SRC_ENDPOINT: endpoint } = env;
  return {
    ...defined({ target, url }),
    ...(embeddedSource === undefined ? {} : { embedded: { value: true, source: embeddedSource, flag: embeddingFlag } }),
    ...defined({ endpoint }),
    section: {
      ...(typeof section["url"] === "string" ? { url: section["url"] } : {}),
      ...(typeof section["embedded"] === "boolean" ? { embedded: section["embedded"] } : {}),
    },
  };
}

/** Returns the chosen target, or no target for a command that sends no requests. */
function chooseCommandTarget(command: Command, { config }: LoadedConfig, env: NodeJS.ProcessEnv): TargetChoice {
  const selection = readSelection(command, findSection(command, config), env);
  if (!acceptsTarget(command)) {
    return { urlSource: "section", notes: [] };
  }
  if (!runSelectingCommands.has(command.name())) {
    return chooseTarget(selection, config);
  }
  const { target, url } = selection;
  const urlSelection = url === undefined ? {} : { url };
  const { name } = target === undefined ? {} : chooseTarget({ target, ...urlSelection, section: {} }, config);
  return name === undefined ? { urlSource: "section", notes: [] } : { name, notes: [] };
}

interface ValueLayers {
  readonly command: Command;
  readonly config: AssayConfig;
  readonly choice: TargetChoice;
}

/**
 * Returns the value of a target for a flag. For `query` of a load these are all queries of the target. Tokens and headers are not flags.
 */
function findTargetValue(name: string, { command, config, choice }: ValueLayers): FileValue | undefined {
  const target = choice.name === undefined ? undefined : config.targets?.[choice.name];
  if (target === undefined) {
    return undefined;
  }
  const member = name === "query" && command.name() === "load" && target.queries !== undefined ? "queries" : name;
  const isOverridden = member === "url" && choice.urlSource !== "target";
  const value = isOverridden ? undefined : new Map<string, unknown>(Object.entries(target)).get(member);
  return value === undefined ? undefined : { path: `targets.${choice.name}.${member}`, value };
}

/** Flags that set a URL. */
const urlFlags: ReadonlySet<string> = new Set(["url", "embedded"]);

function findFileValue(name: string, layers: ValueLayers): FileValue | undefined {
  const { command, config, choice } = layers;
  const isOverridden = urlFlags.has(name) && choice.urlSource !== "section";
  const value = isOverridden ? undefined : findSection(command, config)[name];
  return (
    findTargetValue(name, layers) ?? (value === undefined ? undefined : { path: `${command.name()}.${name}`, value })
  );
}

interface FileFlag extends FileValue {
  readonly name: string;
  readonly flag: Flag;
}

/**
 * Returns the values of the file that do not conflict with flags and variables. Throws if two values of the file conflict with each other.
 */
function removeConflicts(values: readonly FileFlag[], command: Command, file: ConfigFile): readonly FileFlag[] {
  const flags = flagsOf(command);
  const explicitNames = Object.keys(flags).filter(
    (name) => command.getOptionValue(name) !== undefined && isExplicit(command, name),
  );
  const compatibleValues = values.filter(
    ({ name, value }) =>
      value !== false && !explicitNames.some((explicitName) => flagsConflict(name, explicitName, flags)),
  );
  for (const fileFlag of compatibleValues) {
    const conflictingFlag = compatibleValues.find(({ name }) => flagsConflict(fileFlag.name, name, flags));
    if (conflictingFlag !== undefined) {
      throw new HarnessError(
        "usage",
        `${file.displayPath}: ${fileFlag.path} and ${conflictingFlag.path} cannot be set together; remove one of them`,
      );
    }
  }
  return [...compatibleValues, ...values.filter(({ value }) => value === false)];
}

const isExplicit = (command: Command, name: string): boolean =>
  ["cli", "env"].includes(command.getOptionValueSource(name) ?? "");

/** Clears URLs from lower-priority sources once a target is chosen. */
function clearOverriddenUrls(command: Command, { urlSource }: TargetChoice): void {
  if (urlSource === "target") {
    for (const name of urlFlags) {
      command.setOptionValueWithSource(name, undefined, "config");
    }
  }
}

/** Applies the values of the file to a command. Returns the member that set each flag. */
function setFlagsFromFile(
  layers: ValueLayers,
  file: ConfigFile,
  { cwd, env }: CommandContext,
): ReadonlyMap<string, string> {
  const { command, choice } = layers;
  clearOverriddenUrls(command, choice);
  const fileFlags = Object.entries(flagsOf(command)).flatMap(([name, flag]): readonly FileFlag[] => {
    const value =
      targetOnlyFlags.has(name) || findSource(command, name, env) !== undefined
        ? undefined
        : findFileValue(name, layers);
    return value === undefined ? [] : [{ ...value, name, flag }];
  });
  const members = new Map<string, string>();
  for (const entry of removeConflicts(fileFlags, command, file)) {
    const { name, flag } = entry;
    const value = parseFlagValue(flag, entry, { file, cwd });
    if (value !== undefined) {
      command.setOptionValueWithSource(name, value, "config");
    }
    members.set(name, entry.path);
  }
  return members;
}

/**
 * Loads the configuration passed with `--config` or found from the working folder. It is empty with `--no-config`. Sections are checked if
 * `readSections` returns the flags of their commands.
 */
export async function loadProgramConfig(
  program: Command,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
  readSections?: () => Promise<CommandFlags>,
): Promise<LoadedConfig> {
  const { config }: { readonly config?: unknown } = program.opts();
  const file = typeof config === "string" ? config : undefined;
  return config === false ? { config: {} } : loadConfig({ cwd, env, ...defined({ file, readSections }) });
}

const appliedConfigs = new WeakMap<Command, AppliedConfig>();

/** Returns the effect of the configuration file on a parsed command. Undefined before `applyConfig`. */
export const findAppliedConfig = (command: Command): AppliedConfig | undefined => appliedConfigs.get(command);

/** Sets the targets and flag values of the file for a command. */
function applyFile(command: Command, loadedConfig: LoadedConfig, context: CommandContext): AppliedConfig {
  const { file, config } = loadedConfig;
  if (file === undefined) {
    rejectTargetWithoutFile(command);
    return { members: new Map(), notes: [] };
  }
  const choice = chooseCommandTarget(command, loadedConfig, context.env);
  const { name } = choice;
  if (acceptsTarget(command)) {
    const fileTargets: FileTargets = { file, targets: config.targets ?? {}, ...defined({ chosenName: name }) };
    command.setOptionValueWithSource("fileTargets", fileTargets, "config");
  }
  const members = setFlagsFromFile({ command, config, choice }, file, context);
  return {
    file,
    members,
    notes: choice.notes,
    unchosenTargets: findUnchosenTargets(command, choice, config),
    ...defined({ target: name }),
  };
}

/** Commands that test the embedded server unless a target is set. */
const commandsDefaultingToEmbedded: ReadonlySet<string> = new Set(["run", "doctor", "load"]);

function findUnchosenTargets(command: Command, { name, urlSource }: TargetChoice, { targets = {} }: AssayConfig) {
  const { url, embedded } = command.opts<{ readonly url?: string; readonly embedded?: boolean }>();
  const isUndecided = name === undefined && urlSource === "section" && url === undefined && embedded !== true;
  return isUndecided && commandsDefaultingToEmbedded.has(command.name())
    ? Object.keys(targets).filter((target) => !placeholderUrls.includes(targets[target]?.url ?? ""))
    : [];
}

interface ConfigContext {
  readonly context: CommandContext;
  /** Returns the flags of all commands, which are loaded only to check a file. */
  readonly readSections: () => Promise<CommandFlags>;
}

/**
 * Sets the values of the configuration file for a parsed command. Flags and variables override them, and they override defaults. A list
 * from a flag or variable replaces the list of the file. Throws a `HarnessError` for any error in the file.
 */
export async function applyConfig(
  command: Command,
  program: Command,
  { context, readSections }: ConfigContext,
): Promise<AppliedConfig> {
  const result = applyFile(command, await loadProgramConfig(program, context, readSections), context);
  appliedConfigs.set(command, result);
  return result;
}

const displayOnlyCommands = new WeakSet<Command>();

/** Marks a command as only displayed, so that it sends no requests. */
export const markAsDisplayOnly = (command: Command): void => void displayOnlyCommands.add(command);

/**
 * Throws a `HarnessError` before a command sends anything, if its target still has the placeholder URL of `assay init`, or if the file
 * has targets and none was chosen. In the second case a test of the embedded server would look like a test of a target.
 */
export function rejectWrongTarget({ file, target, unchosenTargets = [] }: AppliedConfig, command: Command): void {
  if (file === undefined || displayOnlyCommands.has(command)) {
    return;
  }
  if (unchosenTargets.length > 0) {
    throw new HarnessError(
      "usage",
      `${file.displayPath} contains the targets ${unchosenTargets.slice(0, 4).join(", ")}, and none is selected: pass --target, set defaultTarget, or test the embedded server with --no-config`,
    );
  }
  const url: unknown = command.getOptionValue("url");
  if (target !== undefined && typeof url === "string" && placeholderUrls.includes(url)) {
    throw new HarnessError(
      "usage",
      `${file.displayPath}: set \`targets.${target}.url\` first; ${url} is the placeholder that \`assay init\` wrote`,
    );
  }
}

function rejectTargetWithoutFile(command: Command): void {
  const target: unknown = command.getOptionValue("target");
  if (acceptsTarget(command) && typeof target === "string") {
    throw new HarnessError(
      "usage",
      `there is no target "${target}", because there is no configuration file here; create one with \`assay init\`, or pass --url`,
    );
  }
}
