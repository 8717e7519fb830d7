import { HarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { accessSync, constants, createReadStream } from "node:fs";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { k6Environment } from "./k6-environment.ts";
import { runBounded } from "./run-bounded.ts";

/** Advice on how to get k6. */
const howToGetK6 =
  "set ASSAY_K6 to the path of one that a clone of Assay built by `npm run k6:build` (needs Go), or put a k6 of version 2 on the PATH";

/** A k6 that runs. */
export interface FoundK6 {
  readonly path: string;
  /** Such as `v2.2.0`. */
  readonly version: string;
  /** Of the program, lower-case hex. */
  readonly sha256: string;
  /** `installed` is the package of this project for this system. */
  readonly source: "ASSAY_K6" | "built" | "installed" | "PATH";
}

/** Where to look. */
export interface FindK6Options {
  /** Only `ASSAY_K6` and `PATH` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path written by `npm run k6:build`. */
  readonly builtPath?: string;
  /** Path in the package for this system. */
  readonly installedPath?: string;
  /** For each call of the program; 20 s by default. */
  readonly timeoutMs?: number;
}

type Candidate = Pick<FoundK6, "path" | "source">;

const executable = process.platform === "win32" ? "k6.exe" : "k6";
const minMajor = 2;
const defaultTimeoutMs = 20_000;
// Importing is enough: a k6 without the module cannot load this.
const probe = `import "k6/x/assay";\nexport default function () {}\n`;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The k6 that would be used, without a check that it runs. Undefined if there is none. */
export const chosenK6 = ({
  env,
  builtPath,
  installedPath,
}: Pick<FindK6Options, "env" | "builtPath" | "installedPath">): Candidate | undefined => {
  const chosen = env["ASSAY_K6"];
  if (chosen !== undefined && chosen !== "") {
    return { path: chosen, source: "ASSAY_K6" };
  }
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates: readonly Candidate[] = [
    ...(builtPath === undefined ? [] : [{ path: builtPath, source: "built" } as const]),
    ...(installedPath === undefined ? [] : [{ path: installedPath, source: "installed" } as const]),
    ...folders.map((folder) => ({ path: join(folder, executable), source: "PATH" }) as const),
  ];
  return candidates.find(({ path }) => isProgram(path));
};

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
};

const broken = ({ path, source }: Candidate, why: string): HarnessError =>
  new HarnessError("broken-k6", `${path} (found by ${source}) is not a working k6: ${why}; ${howToGetK6}`);

const versionOf = async (candidate: Candidate, timeoutMs: number): Promise<string> => {
  const end = await runBounded({ path: candidate.path, args: ["version"], env: k6Environment({}), timeoutMs });
  if (end.ended === "not-started") {
    throw broken(candidate, `it cannot be started (${end.reason})`);
  }
  if (end.ended === "timeout") {
    throw broken(candidate, `\`k6 version\` did not end within ${timeoutMs / 1000} s`);
  }
  const [, version, major] = /^k6\S* (v(\d+)\.\d+\.\d+\S*)/u.exec(end.stdout) ?? [];
  if (end.exitCode !== 0 || version === undefined) {
    throw broken(candidate, "`k6 version` did not print a version");
  }
  if (Number(major) < minMajor) {
    throw new HarnessError(
      "old-k6",
      `${candidate.path} is k6 ${version}, but version ${minMajor} is needed: ${howToGetK6}`,
    );
  }
  return version;
};

const loadsModule = async (path: string, timeoutMs: number): Promise<boolean> => {
  const env = k6Environment({});
  const end = await runBounded({ path, args: ["inspect", "-"], env, timeoutMs, input: probe });
  return end.ended === "exit" && end.exitCode === 0;
};

/**
 * Finds the k6 to use: `ASSAY_K6`, then the built one, then the installed one, then the first on the PATH; the chosen one must run. Fails
 * with a `HarnessError`: `no-k6`, `broken-k6`, `old-k6` (below version 2), or `no-module` (without `k6/x/assay`).
 */
export const findK6 = async (options: FindK6Options): Promise<FoundK6> => {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const candidate = chosenK6(options);
  if (candidate === undefined) {
    throw new HarnessError("no-k6", `there is no k6: ${howToGetK6}`);
  }
  const version = await versionOf(candidate, timeoutMs);
  if (!(await loadsModule(candidate.path, timeoutMs))) {
    throw new HarnessError(
      "no-module",
      `${candidate.path} is a k6 without the module k6/x/assay, which records the samples of a load: build ours in a clone of Assay by \`npm run k6:build\` (needs Go), and set ASSAY_K6 to its path`,
    );
  }
  return { ...candidate, version, sha256: await sha256Of(candidate.path) };
};
