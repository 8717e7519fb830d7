import { HarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { accessSync, constants, createReadStream } from "node:fs";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createK6Environment } from "./k6-environment.ts";
import { runBounded } from "./run-bounded.ts";

const installAdvice =
  "build one in a clone of Assay with `npm run k6:build` (needs Go) and set ASSAY_K6 to its path, or put k6 version 2 on the PATH";

/** A working k6. */
export interface FoundK6 {
  readonly path: string;
  /** For example `v2.2.0`. */
  readonly version: string;
  /** The digest of the program in lower-case hex. */
  readonly sha256: string;
  /** `installed` is Assay's own package for this platform. */
  readonly source: "ASSAY_K6" | "built" | "installed" | "PATH";
}

/** The places to search. */
export interface FindK6Options {
  /** The environment, of which only `ASSAY_K6` and `PATH` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path written by `npm run k6:build`. */
  readonly builtPath?: string;
  /** The path in the package for this platform. */
  readonly installedPath?: string;
  /** The timeout of each call of the program. Default: 20 s. */
  readonly timeoutMs?: number;
}

type Candidate = Pick<FoundK6, "path" | "source">;

const executableName = process.platform === "win32" ? "k6.exe" : "k6";
const minMajorVersion = 2;
const defaultTimeoutMs = 20_000;
// Importing the module suffices, because a k6 without it cannot load this script.
const probeScript = `import "k6/x/assay";\nexport default function () {}\n`;

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Selects the k6 to use without checking that it works. Returns undefined if there is none. */
export const selectK6 = ({
  env,
  builtPath,
  installedPath,
}: Pick<FindK6Options, "env" | "builtPath" | "installedPath">): Candidate | undefined => {
  const configuredPath = env["ASSAY_K6"];
  if (configuredPath !== undefined && configuredPath !== "") {
    return { path: configuredPath, source: "ASSAY_K6" };
  }
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates: readonly Candidate[] = [
    ...(builtPath === undefined ? [] : [{ path: builtPath, source: "built" } as const]),
    ...(installedPath === undefined ? [] : [{ path: installedPath, source: "installed" } as const]),
    ...folders.map((folder) => ({ path: join(folder, executableName), source: "PATH" }) as const),
  ];
  return candidates.find(({ path }) => isExecutable(path));
};

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
};

const createBrokenK6Error = ({ path, source }: Candidate, reason: string): HarnessError =>
  new HarnessError("broken-k6", `${path} (from ${source}) is not a working k6: ${reason}; ${installAdvice}`);

const readVersion = async (candidate: Candidate, timeoutMs: number): Promise<string> => {
  const end = await runBounded({ path: candidate.path, args: ["version"], env: createK6Environment({}), timeoutMs });
  if (end.kind === "not-started") {
    throw createBrokenK6Error(candidate, `it cannot be started (${end.reason})`);
  }
  if (end.kind === "timeout") {
    throw createBrokenK6Error(candidate, `\`k6 version\` did not exit within ${timeoutMs / 1000} s`);
  }
  const [, version, major] = /^k6\S* (v(\d+)\.\d+\.\d+\S*)/u.exec(end.stdout) ?? [];
  if (end.exitCode !== 0 || version === undefined) {
    throw createBrokenK6Error(candidate, "`k6 version` did not print a version");
  }
  if (Number(major) < minMajorVersion) {
    throw new HarnessError(
      "old-k6",
      `${candidate.path} is k6 ${version}, but version ${minMajorVersion} is required: ${installAdvice}`,
    );
  }
  return version;
};

const loadsModule = async (path: string, timeoutMs: number): Promise<boolean> => {
  const env = createK6Environment({});
  const end = await runBounded({ path, args: ["inspect", "-"], env, timeoutMs, input: probeScript });
  return end.kind === "exit" && end.exitCode === 0;
};

/**
 * Finds the k6 to use: `ASSAY_K6`, then the built one, then the installed one, then the first on the PATH. Fails with a
 * `HarnessError` if there is none (`no-k6`), or if the first one found does not work (`broken-k6`), is below version 2
 * (`old-k6`) or lacks `k6/x/assay` (`no-module`).
 */
export const findK6 = async (options: FindK6Options): Promise<FoundK6> => {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const candidate = selectK6(options);
  if (candidate === undefined) {
    throw new HarnessError("no-k6", `k6 was not found: ${installAdvice}`);
  }
  const version = await readVersion(candidate, timeoutMs);
  if (!(await loadsModule(candidate.path, timeoutMs))) {
    throw new HarnessError(
      "no-module",
      `${candidate.path} lacks the module k6/x/assay, which records the samples of a load: build k6 in a clone of Assay with \`npm run k6:build\` (needs Go), and set ASSAY_K6 to its path`,
    );
  }
  return { ...candidate, version, sha256: await hashFile(candidate.path) };
};
