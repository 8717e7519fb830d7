import { HarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { accessSync, constants, createReadStream } from "node:fs";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { k6Environment } from "./k6-environment.ts";
import { runBounded } from "./run-bounded.ts";

/** The ways to get a k6, for messages. */
const waysToK6 =
  "set ASSAY_K6 to the path of one that a clone of Assay built by `npm run k6:build` (needs Go), or put a k6 of version 2 on the PATH";

/** A k6 that runs. */
export interface FoundK6 {
  readonly path: string;
  /** Such as `v2.2.0`. */
  readonly version: string;
  /** Of the program, lower-case hex. */
  readonly sha256: string;
  /** Whether it has the module `k6/x/assay`; a stock k6 has not. */
  readonly hasModule: boolean;
  /** `installed` came with the package of this project for this system. */
  readonly source: "ASSAY_K6" | "built" | "installed" | "PATH";
}

/** Where to look. */
export interface FindK6Options {
  /** Of which `ASSAY_K6` and `PATH` matter. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `npm run k6:build` puts it. */
  readonly builtPath?: string;
  /** Where the package for this system has it. */
  readonly installedPath?: string;
  /** For each call of the program; 20 s by default. */
  readonly timeoutMs?: number;
  /** Whether a k6 without the module is an error (`no-module`). */
  readonly needsModule?: boolean;
}

type Candidate = Pick<FoundK6, "path" | "source">;

const executable = process.platform === "win32" ? "k6.exe" : "k6";
const oldestMajor = 2;
const usualTimeoutMs = 20_000;
// It imports for the effect alone: whatever the module exports, a k6 that lacks it cannot load this.
const probe = `import "k6/x/assay";\nexport default function () {}\n`;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The k6 that would be used, whether it runs or not; undefined where there is none. */
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
  new HarnessError("broken-k6", `${path} (found by ${source}) is no k6 that runs: ${why}; ${waysToK6}`);

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
    throw broken(candidate, "`k6 version` did not say a version");
  }
  if (Number(major) < oldestMajor) {
    throw new HarnessError(
      "old-k6",
      `${candidate.path} is k6 ${version}, but version ${oldestMajor} is needed: ${waysToK6}`,
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
 * Finds the k6 to use: `ASSAY_K6`, then the built one, then the installed one, then the first on the PATH; the one that is chosen must run. Fails with a
 * `HarnessError`: `no-k6`, `broken-k6`, `old-k6` (below version 2), or `no-module` when one with the module is needed.
 */
export const findK6 = async (options: FindK6Options): Promise<FoundK6> => {
  const timeoutMs = options.timeoutMs ?? usualTimeoutMs;
  const candidate = chosenK6(options);
  if (candidate === undefined) {
    throw new HarnessError("no-k6", `there is no k6 to make load with: ${waysToK6}`);
  }
  const version = await versionOf(candidate, timeoutMs);
  const hasModule = await loadsModule(candidate.path, timeoutMs);
  if (options.needsModule === true && !hasModule) {
    throw new HarnessError(
      "no-module",
      `${candidate.path} is a k6 without the module k6/x/assay, which this scenario needs: build ours in a clone of Assay by \`npm run k6:build\` (needs Go), and set ASSAY_K6 to its path`,
    );
  }
  return { ...candidate, version, sha256: await sha256Of(candidate.path), hasModule };
};
