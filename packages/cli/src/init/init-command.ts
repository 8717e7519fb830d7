import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { execFileSync } from "node:child_process";
import { HarnessError, defined } from "@assay/contract";
import { member } from "@assay/reading";
import { toShellWord, visibleText } from "@assay/evidence";
import { getCommandName } from "../command-name.ts";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, readOneOf, textFlag, switchFlag, valueFlag } from "../flag.ts";
import { findRepositoryRoot } from "../repository-root.ts";
import { createCiFile, ciNames } from "./ci-template.ts";
import type { CiFile, CiName } from "./ci-template.ts";
import { tool } from "../version.ts";
import { configFormats, createConfigText } from "./config-template.ts";
import type { ConfigFormat } from "./config-template.ts";

const gitTimeoutMs = 5000;

/** Returns the URLs of the remotes, one per line, or an empty string without git or remotes. */
function readRemotes(root: string): string {
  try {
    return execFileSync("git", ["config", "--local", "--get-regexp", String.raw`^remote\..*\.url$`], {
      cwd: root,
      encoding: "utf8",
      timeout: gitTimeoutMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // The default is used if there is no remote.
    return "";
  }
}

const parseHost = (line: string): string => /(?:@|\/\/)(?:[^@/\s]*@)?([^:/\s]+)/u.exec(line)?.[1] ?? "";

/** Detects the continuous integration of a repository by its files, otherwise by its remotes. Default: GitHub. */
function detectCi(root: string): Exclude<CiName, "none"> {
  const hasAny = (...names: readonly string[]): boolean => names.some((name) => existsSync(join(root, name)));
  if (hasAny(".gitlab-ci.yml", ".gitlab")) {
    return "gitlab";
  }
  if (hasAny(".github")) {
    return "github";
  }
  const hosts = readRemotes(root).split("\n").map(parseHost);
  return hosts.some((host) => host.includes("gitlab")) ? "gitlab" : "github";
}

function readManifestText(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "package.json"), "utf8");
  } catch {
    // A folder without a readable manifest is not an npm project.
    return undefined;
  }
}

/** Returns JavaScript for a project that has a manifest and no sign of TypeScript, otherwise TypeScript. */
function detectFormat(folder: string): ConfigFormat {
  const manifest = readManifestText(folder);
  const isJavaScript =
    manifest !== undefined && !manifest.includes('"typescript"') && !existsSync(join(folder, "tsconfig.json"));
  return isJavaScript ? "js" : "ts";
}

/** Returns the nearest manifest from a folder up to the root of its repository. */
function findNearestManifest(
  folder: string,
  root: string,
): { readonly folder: string; readonly text: string } | undefined {
  const text = readManifestText(folder);
  if (text !== undefined) {
    return { folder, text };
  }
  return folder === root || dirname(folder) === folder ? undefined : findNearestManifest(dirname(folder), root);
}

/** Returns the version of Assay in the dependencies of a manifest, or undefined if there is none. */
function findAssayVersion(text: string): string | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return undefined;
  }
  const version = ["devDependencies", "dependencies", "optionalDependencies"]
    .map((kind) => member(member(manifest, kind), tool.name))
    .find((value) => typeof value === "string");
  return typeof version === "string" ? version : undefined;
}

/**
 * Returns what a job passes to `npm install` to get the Assay that the project depends on: a tarball in the
 * repository, a URL, or a version. Returns undefined if the project does not depend on Assay, or if a job could not
 * download it.
 */
function findPackageSpec(folder: string, root: string): string | undefined {
  const manifest = findNearestManifest(folder, root);
  const version = manifest === undefined ? undefined : findAssayVersion(manifest.text);
  if (manifest === undefined || version === undefined) {
    return undefined;
  }
  if (/^(?:https?:|git[+:])/u.test(version)) {
    return version;
  }
  if (/^[~^]?\d/u.test(version)) {
    return `${tool.name}@${version}`;
  }
  const relativePath = version.startsWith("file:")
    ? relative(root, resolve(manifest.folder, version.slice("file:".length)))
    : "..";
  return relativePath.startsWith("..") || isAbsolute(relativePath)
    ? undefined
    : `./${relativePath.split(sep).join("/")}`;
}

const ignoredFolder = "reports/";

/**
 * Returns `.gitignore` with the folder of runs added, because their files contain code and responses of instances.
 * Returns undefined if it already contains the folder.
 */
function createIgnoreFile(folder: string): NewFile | undefined {
  const path = join(folder, ".gitignore");
  const oldText = pathExists(path) ? readFileSync(path, "utf8") : "";
  const isIgnored = oldText
    .split(/\r?\n/u)
    .some((line) => /^(?:\*\*\/|\/)?reports(?:\/(?:\*\*?)?)?$/u.test(line.trim()));
  const separator = oldText === "" || oldText.endsWith("\n") ? "" : "\n";
  return isIgnored ? undefined : { path, text: `${oldText}${separator}${ignoredFolder}\n` };
}

/** A file to write. */
interface NewFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const pathExists = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A parent is not a folder. Writing reports the error.
    return false;
  }
};

const readErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "an unknown failure";

/** A path for messages. */
const formatPath = (path: string, cwd: string): string => visibleText(relative(cwd, path) || ".", 300);

interface WriteOptions {
  readonly cwd: string;
  /** Replaces existing files. */
  readonly force: boolean;
}

/**
 * Writes all files, or none if one of them exists. Throws a `HarnessError` with the path of the existing or unwritable file, and of the
 * files that were written before it.
 */
function writeNewFiles(files: readonly NewFile[], { cwd, force }: WriteOptions): void {
  const existingFiles = files.filter(({ path }) => pathExists(path)).map(({ path }) => formatPath(path, cwd));
  if (!force && existingFiles.length > 0) {
    const existsText = existingFiles.length === 1 ? "already exists" : "already exist";
    throw new HarnessError(
      "usage",
      `${existingFiles.join(" and ")} ${existsText}, and nothing was written; print the files with --dry-run, or replace them with --force`,
    );
  }
  const writtenPaths: string[] = [];
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: force ? "w" : "wx" });
    } catch (cause) {
      const writtenNote = writtenPaths.length === 0 ? "" : `; ${writtenPaths.join(" and ")} was written before`;
      throw new HarnessError(
        "usage",
        `${formatPath(path, cwd)} cannot be written (${readErrorCode(cause)})${writtenNote}; choose a different folder with --dir, or print it with --dry-run`,
        { cause },
      );
    }
    writtenPaths.push(formatPath(resolve(path), cwd));
  }
}

const flags = {
  format: valueFlag(
    "<NAME>",
    readOneOf(configFormats),
    `${configFormats.join(", ")} (default: js or ts, by the project)`,
  ),
  ci: valueFlag("<NAME>", readOneOf(ciNames), `${ciNames.join(", ")} (default: by the files of the repository)`),
  dir: textFlag("<DIR>", "folder of the configuration (default: the current folder)"),
  action: textFlag("<OWNER/REPO@REF>", "use this reusable workflow (default: plain steps)"),
  dryRun: switchFlag("print the files instead of writing them"),
  force: switchFlag("replace existing files"),
};

type InitOptions = OptionsOf<typeof flags>;

const examples = `
Examples:
  assay init                               assay.config.ts, and a workflow of GitHub or GitLab
  assay init --format json --ci none       only assay.config.json
  assay init --dry-run                     print the files instead of writing them
  assay init --action acme/assay@v1.2.3    use the action instead of steps that install the package

Existing files are only overwritten with --force. The line \`reports/\` is added to .gitignore.
Exit codes: 0 written, 2 usage error, or a file already exists.`;

/** Adds `assay init`. */
export const initCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("init"), flags)
    .summary("Write a configuration and a workflow.")
    .description("Write a commented configuration, and a workflow that gates on one of its targets.")
    .addHelpText("after", examples)
    .action((options: InitOptions) => {
      finish(init(options, context));
    });
};

/** The files to write, and further steps for the user. */
interface InitPlan {
  readonly config: NewFile;
  /** The only existing file that is changed: one line is added. */
  readonly ignore?: NewFile;
  readonly ci?: CiFile & { readonly file: NewFile };
}

function checkAction({ action }: InitOptions): string | undefined {
  if (action !== undefined && !/^[\w.-]+\/[\w.-]+@[\w.][\w./-]*$/u.test(action)) {
    throw new HarnessError(
      "usage",
      `"${visibleText(action, 200)}" is not a repository with a ref; --action requires OWNER/REPO@ and a tag or the 40 digits of a commit, such as acme/assay@v1.2.3`,
    );
  }
  return action;
}

/** Throws if there is already a configuration, because two in one folder would contradict each other. */
function rejectSecondConfig({ path }: NewFile, cwd: string): void {
  const folder = dirname(path);
  const otherConfigs = listNames(folder).filter(
    (name) => /^assay\.config\.(?:ts|js|mjs|json)$/u.test(name) && join(folder, name) !== path,
  );
  if (otherConfigs.length > 0) {
    const shownPaths = otherConfigs.map((name) => formatPath(join(folder, name), cwd)).join(" and ");
    throw new HarnessError(
      "usage",
      `there is already a configuration, ${shownPaths}; remove it first, because two would contradict each other`,
    );
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder does not exist yet, or is not a folder. Writing reports the error.
    return [];
  }
}

/** Returns the path of the configuration from the root, for a workflow. Returns undefined if it is in the root. */
function findWorkflowConfigPath(path: string, root: string): string | undefined {
  const relativePath = relative(root, path);
  if (relativePath.includes("${{")) {
    throw new HarnessError(
      "usage",
      "the path of this folder contains a GitHub expression (${{), which a workflow cannot contain; use --ci none",
    );
  }
  return dirname(relativePath) === "." ? undefined : relativePath;
}

function createPlan(options: InitOptions, { cwd }: CommandContext): InitPlan {
  const folder = resolve(cwd, options.dir ?? ".");
  const root = findRepositoryRoot(folder) ?? folder;
  const format = options.format ?? detectFormat(folder);
  const config: NewFile = { path: join(folder, `assay.config.${format}`), text: createConfigText(format) };
  const workflowConfigPath = findWorkflowConfigPath(config.path, root);
  const settings = defined({
    action: checkAction(options),
    config: workflowConfigPath,
    packageSpec: findPackageSpec(folder, root),
  });
  const name = options.ci ?? detectCi(root);
  if (name !== "github" && settings.action !== undefined) {
    throw new HarnessError("usage", `--action is for GitHub, and the file is for ${name}; remove one of them`);
  }
  const ci = createCiFile(name, settings);
  const pipeline = ci === undefined ? undefined : { ...ci, file: { path: join(root, ci.path), text: ci.text } };
  return { config, ...defined({ ignore: createIgnoreFile(root), ci: pipeline }) };
}

function renderNextSteps({ config, ci }: InitPlan, { cwd, env }: CommandContext): string {
  const assay = getCommandName(env);
  const name = formatPath(config.path, cwd);
  const ciSteps =
    ci === undefined ? [] : [`  In ${formatPath(ci.file.path, cwd)}:`, ...ci.nextSteps.map((step) => `    ${step}`)];
  const configFlag = dirname(config.path) === resolve(cwd) ? "" : ` --config ${toShellWord(name)}`;
  return [
    "",
    `Next: set \`targets.staging.url\` in ${name}, then`,
    `  ${assay}${configFlag} config --target staging               prints each setting and its source`,
    `  ASSAY_TOKEN=... ${assay}${configFlag} run --target staging`,
    ...ciSteps,
    "",
  ].join("\n");
}

function init(options: InitOptions, context: CommandContext): number {
  const { cwd, out } = context;
  const plan = createPlan(options, context);
  const files = [plan.config, ...(plan.ci === undefined ? [] : [plan.ci.file])];
  if (options.dryRun === true) {
    const newFiles = [...files, ...(plan.ignore === undefined ? [] : [plan.ignore])];
    out(newFiles.map(({ path, text }) => `--- ${formatPath(path, cwd)}\n${text}`).join("\n"));
    return 0;
  }
  rejectSecondConfig(plan.config, cwd);
  writeNewFiles(files, { cwd, force: options.force === true });
  out(files.map(({ path }) => `wrote ${formatPath(path, cwd)}\n`).join(""));
  if (plan.ignore !== undefined) {
    writeNewFiles([plan.ignore], { cwd, force: true });
    out(
      `added ${ignoredFolder} to ${formatPath(plan.ignore.path, cwd)}: runs contain code and responses of your instance\n`,
    );
  }
  out(renderNextSteps(plan, context));
  return 0;
}
