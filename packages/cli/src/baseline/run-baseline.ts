import { HarnessError, isHarnessError } from "@assay/contract";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder, toEvidenceError, writeAtomically } from "@assay/evidence";
import { type ReportedFinding, type RuleVerdict, type RunResult, stringifyRunResult } from "@assay/results";
import { baselinesFolder } from "../compare/stored-runs.ts";
import { resolveRunArgument, type RunSearch } from "../latest-run.ts";
import { findRuns, type FoundRun, tryFindRuns, createMissingRunError } from "../report/find-runs.ts";
import { readVerdicts } from "../report/read-verdicts.ts";
import { readStoredRun } from "../report/stored-run.ts";

/** Folder of contract-test baselines. Baselines of load runs are stored in its parent. */
export const runBaselinesFolder = `${baselinesFolder}/contract`;

const namePattern = /^[a-z0-9._-]{1,60}$/u;

const resolveBaselinePath = (name: string, cwd: string): string =>
  join(resolve(cwd, runBaselinesFolder), `${name}.json`);

/** Lists the names of all contract-test baselines, sorted. */
export function listRunBaselineNames(cwd: string): readonly string[] {
  const folder = resolve(cwd, runBaselinesFolder);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".json") && namePattern.test(file.slice(0, -5)))
        .map((file) => file.slice(0, -5))
        .toSorted()
    : [];
}

/** Reads a contract-test baseline by name. Throws a `HarnessError`. */
export const readRunBaseline = (name: string, cwd: string): RunResult =>
  readVerdicts(resolveBaselinePath(name, cwd), `${runBaselinesFolder}/${name}.json`);

/** A row of the list: a baseline, or an unreadable file. */
export type RunBaselineEntry =
  | {
      readonly name: string;
      readonly contract: true;
      readonly outcome: string;
      readonly target: string;
      readonly startedAt: string;
    }
  | { readonly name: string; readonly problem: string };

/** Lists all contract-test baselines, sorted by name. A damaged file is listed with its problem. */
export const listRunBaselines = (cwd: string): readonly RunBaselineEntry[] =>
  listRunBaselineNames(cwd).map((name) => {
    try {
      const { outcome, run } = readRunBaseline(name, cwd);
      return { name, contract: true, outcome, target: run.target, startedAt: run.startedAt };
    } catch (error) {
      if (isHarnessError(error)) {
        return { name, problem: error.sentence };
      }
      throw error;
    }
  });

/** Returns the part of a finding that comparisons need, without bytes and commands, because baselines are kept for years. */
const shortenFinding = ({ kind, message }: ReportedFinding): ReportedFinding => ({
  kind,
  message: message.slice(0, 200),
});

function shortenVerdict({ notes: _notes, ...rule }: RuleVerdict): RuleVerdict {
  const { verdict } = rule;
  return verdict.outcome === "failed" || verdict.outcome === "warned"
    ? {
        ...rule,
        verdict: {
          ...verdict,
          findings: [shortenFinding(verdict.findings[0])],
          moreFindings: verdict.moreFindings + verdict.findings.length - 1,
        },
      }
    : rule;
}

/**
 * Stores a run of contract tests under a name, without its evidence. Returns the path of the file. Throws a `HarnessError` or a disk error
 * code.
 */
export async function setRunBaseline(name: string, result: RunResult, cwd: string): Promise<string> {
  if (!namePattern.test(name)) {
    throw new HarnessError(
      "usage",
      `${JSON.stringify(name.slice(0, 80))} is not a valid baseline name; use 1 to 60 characters: a-z, 0-9, dot, hyphen, underscore`,
    );
  }
  const path = resolveBaselinePath(name, cwd);
  const folder = resolve(cwd, runBaselinesFolder);
  await makeFolder(folder, 0o755).catch((cause: unknown) => {
    throw toEvidenceError(cause, `make the folder ${folder}`);
  });
  const resultToStore: RunResult = {
    ...result,
    verdicts: result.verdicts.map(shortenVerdict),
    unspecified: [],
    exchanges: [],
  };
  await writeAtomically(path, stringifyRunResult(resultToStore));
  return path;
}

/** Returns the result of a run of contract tests, or undefined for a load run. */
export async function readContractResult(run: FoundRun): Promise<RunResult | undefined> {
  const storedRun = await readStoredRun(run);
  return storedRun.kind === "run" ? storedRun.run.result : undefined;
}

/**
 * Reads the run to compare with. `reference` is the name of a baseline (without a slash), a folder, a `verdicts.json`, a run id, or
 * `latest` for the newest run except the excluded one. Returns undefined if `reference` is undefined. Throws a `HarnessError` before any request.
 */
export async function readBaselineRun(
  reference: string | undefined,
  search: RunSearch,
): Promise<RunResult | undefined> {
  if (reference === undefined) {
    return undefined;
  }
  const { cwd } = search;
  const names = listRunBaselineNames(cwd);
  if (names.includes(reference)) {
    return readRunBaseline(reference, cwd);
  }
  const runArgument = resolveRunArgument(reference, search, "verdicts");
  const runs = tryFindRuns(runArgument, cwd);
  if (runs === undefined) {
    throw createMissingRunError(runArgument, cwd, names);
  }
  const [run, ...moreRuns] = runs;
  const result = run === undefined || moreRuns.length > 0 ? undefined : await readContractResult(run);
  if (result === undefined) {
    throw new HarnessError(
      "usage",
      moreRuns.length > 0
        ? `--baseline requires one run, and ${runArgument} contains ${runs.length}; pass one of them`
        : `--baseline requires a run of contract tests, and ${runArgument} is a load run; compare load runs with \`assay compare\``,
    );
  }
  return result;
}

/** Returns the run of contract tests to store as a baseline, or undefined for load runs. */
export async function findRunToSave(runArguments: readonly string[], cwd: string): Promise<RunResult | undefined> {
  const [firstText] = runArguments;
  const firstRuns = firstText === undefined ? undefined : tryFindRuns(firstText, cwd);
  if (firstRuns === undefined || firstRuns[0] === undefined || firstRuns[0].kind.startsWith("load")) {
    return undefined;
  }
  const runs = findRuns(runArguments, cwd);
  const [run, ...moreRuns] = runs;
  if (run === undefined || moreRuns.length > 0) {
    throw new HarnessError("usage", `a baseline of contract tests is one run, and ${runs.length} were passed`);
  }
  return readContractResult(run);
}
