import { readStoredTargets } from "@assay/contract";
import { isRecord, member } from "@assay/reading";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { knownFailuresChecker, writeAtomically } from "@assay/evidence";
import type { KnownLoadFailures } from "@assay/runner";

/** Name of the canary's folder in the folder of the load run. */
export const canaryFolder = "canary";

/** Name of the file with `LoadRunFile`, in the folder of a load run. */
export const loadRunFile = "load-run.json";

/** Facts for `assay cleanup` and `assay judge` about a load run that was killed. */
export interface LoadRunFile {
  readonly assay: "load-run";
  readonly version: 1;
  readonly runId: string;
  /** Base URLs of the base, and of the head if there is one. */
  readonly targets: readonly string[];
  /** Whether the targets were embedded servers, which stop with the run. */
  readonly embedded: boolean;
  /** Known failures, for judging the run again. */
  readonly known?: KnownLoadFailures;
}

/** Writes the file. Call it before anything is created on a target. */
export const writeLoadRunFile = (folder: string, file: LoadRunFile): Promise<void> =>
  writeAtomically(join(folder, loadRunFile), `${JSON.stringify(file, undefined, 2)}\n`);

const isStringArray = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

const isStoredKnownFailures = (value: unknown): boolean =>
  value === undefined ||
  (knownFailuresChecker.fits(member(value, "files")) &&
    typeof member(value, "startedAt") === "string" &&
    typeof member(member(value, "targets"), "base") === "string" &&
    ["string", "undefined"].includes(typeof member(member(value, "targets"), "head")));

const isLoadRunFile = (value: unknown): value is LoadRunFile =>
  typeof value === "object" &&
  value !== null &&
  "assay" in value &&
  value.assay === "load-run" &&
  "targets" in value &&
  isStringArray(value.targets) &&
  "embedded" in value &&
  typeof value.embedded === "boolean" &&
  isStoredKnownFailures(member(value, "known"));

/** Converts the known failures of a stored file to one entry for each side. */
function upgradeSides(value: unknown): unknown {
  const known = member(value, "known");
  return isRecord(value) && isRecord(known)
    ? { ...value, known: { ...known, targets: readStoredTargets(known["targets"]) } }
    : value;
}

/** Reads the file in a folder. Returns undefined if it is missing or invalid. */
export async function readLoadRunFile(folder: string): Promise<LoadRunFile | undefined> {
  try {
    const value = upgradeSides(JSON.parse(await readFile(join(folder, loadRunFile), "utf8")));
    return isLoadRunFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
