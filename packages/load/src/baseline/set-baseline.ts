import { HarnessError } from "@assay/contract";
import { makeFolder, toEvidenceError, writeAtomically } from "@assay/evidence";
import { findDifferences, findRepeatedRuns, findUnusableRuns } from "../compare/incomparable.ts";
import { describeRun, type StoredRun, toStoredRun } from "../compare/stored-run.ts";
import type { Baseline } from "./baseline.ts";
import type { HarnessErrorCode } from "@assay/contract";
import { getBaselinePath } from "./baseline-name.ts";
import { readStoredRun } from "./read-stored-run.ts";

export interface NewBaseline {
  /** The baseline folder, such as `reports/baselines`. Created if missing. */
  readonly folder: string;
  /** 1 to 60 characters: `a-z`, `0-9`, dot, hyphen and underscore. An existing baseline with this name is replaced. */
  readonly name: string;
  /** Load results. */
  readonly runs: readonly unknown[];
}

const throwIfAny = (code: HarnessErrorCode, reasons: readonly string[]): void => {
  const [firstReason] = reasons;
  if (firstReason !== undefined) {
    throw new HarnessError(code, reasons.length > 1 ? `${firstReason} (and ${reasons.length - 1} more)` : firstReason);
  }
};

const describeRepeatedRuns = (runs: readonly StoredRun[]): readonly string[] =>
  findRepeatedRuns(runs).map((run) => `${describeRun(run)} was passed twice; pass each run once.`);

const makeBaselineFolder = async (folder: string): Promise<void> => {
  try {
    await makeFolder(folder, 0o755);
  } catch (cause) {
    throw toEvidenceError(cause, `make the folder ${folder}`);
  }
};

/**
 * Stores runs as a baseline, atomically, and returns the path of the file. Fails with `bad-name`, `no-runs`,
 * `not-a-load-result`, `unsupported-schema`, `unusable-run` (ended early, invalid, or with two targets), `runs-differ`,
 * or a `HarnessError` of the disk.
 */
export const setBaseline = async ({ folder, name, runs }: NewBaseline): Promise<string> => {
  const path = getBaselinePath(folder, name);
  const storedRuns = runs.map((run, index) => readStoredRun(run, `run ${index + 1} of those given`));
  throwIfAny(
    "no-runs",
    storedRuns.length === 0 ? ["no run was passed; a baseline needs at least one, and a verdict ten."] : [],
  );
  throwIfAny("unusable-run", [...findUnusableRuns(storedRuns), ...describeRepeatedRuns(storedRuns)]);
  throwIfAny("runs-differ", findDifferences(storedRuns));
  const baseline: Baseline = { assay: "baseline", schemaVersion: 1, name, runs: storedRuns.map(toStoredRun) };
  await makeBaselineFolder(folder);
  await writeAtomically(path, `${JSON.stringify(baseline, undefined, 2)}\n`);
  return path;
};
