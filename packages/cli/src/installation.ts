import { allRequirements, ruleCatalogue } from "@assay/contract";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogueDigest } from "@assay/runner";
import { findInstalledK6, getBuiltK6Path, k6Package } from "@assay/scenarios";
import { tool } from "./version.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program or package that Assay uses, as installed on this machine. */
export interface InstalledPart {
  readonly name: string;
  /** Undefined if it is missing or does not run. */
  readonly version?: string;
  /** Its path and the reason it was chosen, or the features that need it and how to install it. */
  readonly note: string;
  /** Whether `assay run` works without it. */
  readonly isOptional: boolean;
}

const timeoutMs = 10_000;

/** Returns the standard output of a program, or undefined if it does not run. */
function runProgram(program: string, args: readonly string[]): string | undefined {
  const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: "false" };
  const { error, status, stdout } = spawnSync(program, args, {
    env,
    encoding: "utf8",
    timeout: timeoutMs,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return error === undefined && status === 0 ? stdout : undefined;
}

const moduleFolder = dirname(fileURLToPath(import.meta.url));

/** Returns the commit from which an installed package was built, otherwise the commit of the checkout that contains this program. */
function findCommit(): string | undefined {
  const root = join(moduleFolder, "../../..");
  if (existsSync(join(root, ".git"))) {
    return runProgram("git", ["-C", root, "rev-parse", "--short=12", "HEAD"])?.trim();
  }
  try {
    const buildInfo: unknown = JSON.parse(readFileSync(join(moduleFolder, "bundle/built-from.json"), "utf8"));
    return typeof buildInfo === "object" && buildInfo !== null && "commit" in buildInfo
      ? String(buildInfo.commit)
      : undefined;
  } catch {
    // The package was built by a different tool.
    return undefined;
  }
}

const describeAssay = (): InstalledPart => {
  const commit = findCommit();
  return {
    name: "assay",
    version: tool.version,
    note: commit === undefined ? "unknown commit" : `commit ${commit}`,
    isOptional: false,
  };
};

const describeContract = (): InstalledPart => ({
  name: "contract",
  version: catalogueDigest().slice(0, 12),
  note: `${ruleCatalogue.length} rules about ${allRequirements.length} requirements`,
  isOptional: false,
});

interface K6Location {
  readonly path: string;
  readonly reason: string;
}

const findOnPath = (env: Environment): string | undefined =>
  (env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, process.platform === "win32" ? "k6.exe" : "k6"))
    .find((path) => existsSync(path));

/** Returns the k6 that `assay load` would use, and the reason. */
function findK6(env: Environment): K6Location | undefined {
  const configuredPath = env["ASSAY_K6"];
  if (configuredPath !== undefined && configuredPath !== "") {
    return { path: configuredPath, reason: "set by ASSAY_K6" };
  }
  if (existsSync(getBuiltK6Path())) {
    return { path: getBuiltK6Path(), reason: "built by `npm run k6:build`, which overrides an installed one" };
  }
  const packagedPath = findInstalledK6();
  if (packagedPath !== undefined) {
    return { path: packagedPath, reason: `from the package ${k6Package}` };
  }
  const k6Path = findOnPath(env);
  return k6Path === undefined ? undefined : { path: k6Path, reason: `on the PATH; ${k6Package} is not installed` };
}

function describeK6(env: Environment): InstalledPart {
  const location = findK6(env);
  if (location === undefined) {
    const note = `missing: required by \`assay load\`; install ${k6Package}, or set ASSAY_K6`;
    return { name: "k6", note, isOptional: true };
  }
  const output = runProgram(location.path, ["version"]);
  const [, version] = /^k6\S* v(\S+)/u.exec(output ?? "") ?? [];
  if (version === undefined) {
    return { name: "k6", note: `${location.path} (${location.reason}) does not run`, isOptional: true };
  }
  const module =
    output?.includes("k6/x/assay") === true ? "with k6/x/assay" : "without k6/x/assay, which `assay load` needs";
  return { name: "k6", version, note: `${module}; ${location.reason}: ${location.path}`, isOptional: true };
}

function describeProgram(
  name: string,
  { program, isOptional, reason }: { readonly program: string; readonly isOptional: boolean; readonly reason: string },
): InstalledPart {
  const output = runProgram(program, name === "go" ? ["version"] : ["--version"]);
  const [version] = /\d+\.\d+(?:\.\d+)*/u.exec(output ?? "") ?? [];
  return version === undefined
    ? { name, note: `missing: ${reason}`, isOptional }
    : { name, version, note: reason, isOptional };
}

/** Lists the parts that `assay --version` prints, for bug reports. */
export const listVersionParts = (env: Environment): readonly InstalledPart[] => [
  describeAssay(),
  describeContract(),
  describeK6(env),
  { name: "node", version: process.versions.node, note: process.execPath, isOptional: false },
];

/** Lists the parts that `assay doctor --self` checks. */
export const listInstalledParts = (env: Environment): readonly InstalledPart[] => [
  ...listVersionParts(env),
  describeProgram("git", {
    program: "git",
    isOptional: false,
    reason: "required by the embedded server",
  }),
  describeProgram("go", { program: "go", isOptional: true, reason: "only needed to build a custom k6" }),
];

/** Formats the parts as lines, each with a sign at the start if `showSigns` is true. */
export function formatParts(parts: readonly InstalledPart[], { showSigns }: { readonly showSigns: boolean }): string {
  const width = Math.max(...parts.map(({ name, version = "" }) => name.length + version.length + 1));
  return parts
    .map(({ isOptional, name, note, version }) => {
      const statusSign = version === undefined ? (isOptional ? "- " : "✗ ") : "✓ ";
      const title = version === undefined ? name : `${name} ${version}`;
      return `${showSigns ? statusSign : ""}${title.padEnd(width)}  ${note}\n`;
    })
    .join("");
}
