import { readdir, readFile, stat } from "node:fs/promises";
import { HarnessError, closestName, isHarnessError } from "@assay/contract";
import { type Baseline, parseBaseline } from "./baseline.ts";
import { getBaselinePath, parseBaselineFileName } from "./baseline-name.ts";

/** Enough for hundreds of runs. */
const maxFileBytes = 32 * 1024 * 1024;

const readErrorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "an unknown error";

const createUnreadableError = (path: string, cause: unknown): HarnessError =>
  new HarnessError(
    "unreadable",
    `${path} cannot be read (${readErrorCode(cause)}); check that it exists and that you have permission to read it.`,
    { cause },
  );

const readText = async (path: string): Promise<string> => {
  const { size } = await stat(path);
  if (size > maxFileBytes) {
    throw new HarnessError(
      "too-large",
      `${path} is larger than ${maxFileBytes / 1024 / 1024} MiB, so it is not a baseline; remove it and set the baseline again.`,
    );
  }
  return readFile(path, "utf8");
};

/** Returns the sorted names of the baselines in a folder. Empty if the folder does not exist. Fails with `unreadable`. */
export const listBaselineNames = async (folder: string): Promise<readonly string[]> => {
  try {
    const files = await readdir(folder);
    return files
      .map(parseBaselineFileName)
      .filter((name) => name !== undefined)
      .toSorted();
  } catch (cause) {
    if (readErrorCode(cause) === "ENOENT") {
      return [];
    }
    throw createUnreadableError(folder, cause);
  }
};

const createMissingBaselineError = async (folder: string, name: string): Promise<HarnessError> => {
  const nearest = closestName(name, await listBaselineNames(folder));
  const hint = nearest === undefined ? "set one with `assay baseline set`" : `the nearest name is "${nearest}"`;
  return new HarnessError("no-baseline", `there is no baseline "${name}" in ${folder}; ${hint}.`);
};

/**
 * Reads a baseline by its name. Fails with `bad-name`, `no-baseline` (with the nearest name), `unreadable`,
 * `too-large`, `not-a-baseline`, `unsupported-schema` or `not-a-load-result`.
 */
export const readBaseline = async (folder: string, name: string): Promise<Baseline> => {
  const path = getBaselinePath(folder, name);
  try {
    return parseBaseline(await readText(path), name, path);
  } catch (cause) {
    if (isHarnessError(cause)) {
      throw cause;
    }
    throw readErrorCode(cause) === "ENOENT"
      ? await createMissingBaselineError(folder, name)
      : createUnreadableError(path, cause);
  }
};
