import { defined, firstNames, HarnessError, isHarnessError } from "@assay/contract";
import { basename, dirname, join } from "node:path";
import { readBundle, bundleFiles, visibleText } from "@assay/evidence";
import type { Manifest, Bundle } from "@assay/evidence";
import type { ReportedRun } from "@assay/report";
import { concludeRun, isBetter } from "@assay/results";
import type { LoadResult, RunResult } from "@assay/results";
import { bundleNotes } from "@assay/runner";
import { toReportedRun } from "../result-files.ts";
import type { FoundRun } from "./find-runs.ts";
import { readLoadFile, readVerdicts } from "./read-verdicts.ts";
import { findManifestContradiction, recomputeConclusion } from "./result-contradictions.ts";
import { existsSync } from "node:fs";

/**
 * The evidence next to a stored result. `none`: only results are stored, for example by `assay judge --out`. `doubtful`: the result was
 * computed from different or from more evidence.
 */
type StoredEvidence =
  | { readonly kind: "none" }
  | { readonly kind: "complete"; readonly bundle: Bundle }
  | DoubtfulEvidence;

/** Evidence that does not support its result. */
interface DoubtfulEvidence {
  readonly kind: "doubtful";
  /** Undefined if the evidence belongs to a different result. There are no figures in that case. */
  readonly bundle?: Bundle;
  /** Describes the problem, as a sentence without a full stop. */
  readonly reason: string;
}

const createDoubtfulEvidence = (reason: string): DoubtfulEvidence => ({
  kind: "doubtful",
  reason: visibleText(reason, 600),
});

const maxShownProblems = 3;

const formatProblems = (problems: readonly string[]): string => firstNames(problems, maxShownProblems).join("; ");

/** Reports whether all members that a result copies from the manifest of its run are equal. */
function belongsToRun({ run }: RunResult, { runId, startedAt, target, profile, seed }: Manifest): boolean {
  const pairs = [
    [run.id, runId],
    [run.startedAt, startedAt],
    [run.target, target.url],
    [run.embedded, target.embedded],
    [run.profile, profile],
    [run.seed, seed],
  ];
  return pairs.every(([stored, recorded]) => stored === recorded);
}

/** Reports whether a result has exactly the recorded exchanges. */
function hasSameExchanges({ exchanges }: RunResult, bundle: Bundle): boolean {
  const judgedIds = exchanges.map(({ id }) => id).toSorted();
  const recordedIds = bundle.exchanges.map(({ record }) => record.id).toSorted();
  return judgedIds.length === recordedIds.length && judgedIds.every((id, index) => id === recordedIds[index]);
}

function findProblems(result: RunResult, bundle: Bundle): readonly string[] {
  const [judgedCount, recordedCount] = [result.exchanges.length, bundle.exchanges.length];
  const counts = judgedCount === recordedCount ? "" : `: ${judgedCount} were judged, and ${recordedCount} are recorded`;
  const problems = hasSameExchanges(result, bundle) ? [] : [`the exchanges are not those that were judged${counts}`];
  return [...problems, ...bundle.problems];
}

function compareWithEvidence(result: RunResult, bundle: Bundle): StoredEvidence {
  if (!belongsToRun(result, bundle.manifest)) {
    const { runId, startedAt } = bundle.manifest;
    return createDoubtfulEvidence(`the evidence next to the verdicts belongs to another run, ${runId} of ${startedAt}`);
  }
  const problems = findProblems(result, bundle);
  if (problems.length === 0) {
    return { kind: "complete", bundle };
  }
  const evidence = createDoubtfulEvidence(
    `the evidence next to the verdicts is incomplete: ${formatProblems(problems)}`,
  );
  // A result that reports incomplete evidence was computed from the same part of it.
  const isReported = result.incomplete.some(({ code }) => code === "evidence-incomplete");
  return isReported && hasSameExchanges(result, bundle) ? { ...evidence, bundle } : evidence;
}

/** Reads the evidence of a result from its folder. Never throws because of the content of the folder. */
async function readStoredEvidence(result: RunResult, folder: string): Promise<StoredEvidence> {
  if (!Object.values(bundleFiles).some((name) => existsSync(join(folder, name)))) {
    return { kind: "none" };
  }
  try {
    return compareWithEvidence(result, await readBundle(folder));
  } catch (error) {
    if (!isHarnessError(error)) {
      throw error;
    }
    return createDoubtfulEvidence(`the evidence next to the verdicts cannot be read (${error.code})`);
  }
}

/** Adds to a stored result that its evidence is doubtful, with the reason. The outcome never improves, and is never passed. */
function markResultDoubtful(result: RunResult, message: string): RunResult {
  const doubtfulResult: RunResult = {
    ...result,
    incomplete: [{ code: "evidence-incomplete", message }, ...result.incomplete],
  };
  const conclusion = recomputeConclusion(doubtfulResult);
  return isBetter(conclusion.outcome, result.outcome) ? doubtfulResult : { ...doubtfulResult, ...conclusion };
}

/** A stored run, with notes for the reader. */
export type StoredRun =
  | { readonly kind: "run"; readonly run: ReportedRun; readonly notes: readonly string[] }
  | { readonly kind: "load"; readonly load: LoadResult; readonly notes: readonly string[] };

/**
 * Creates the result of a run without verdicts: it was killed, or they were removed. Does not judge the run, because it would look like any
 * other run; the user must do that with `assay judge`.
 */
async function createUnjudgedRun(folder: string, displayPath: string): Promise<StoredRun> {
  const { manifest, ...bundle } = await readBundle(folder);
  const { tool, runId, startedAt, target, profile, seed, strict } = manifest;
  const result: RunResult = {
    schemaVersion: 2,
    tool,
    run: { id: runId, startedAt, target: target.url, embedded: target.embedded, profile, seed, strict },
    ...concludeRun({
      verdicts: [],
      strict,
      incomplete: [{ code: "not-judged", message: `not judged yet: \`assay judge ${displayPath}\`` }],
    }),
    verdicts: [],
    unspecified: [],
    exchanges: [],
  };
  return { kind: "run", run: { result }, notes: bundleNotes({ ...bundle, manifest }) };
}

function rejectContradiction(manifest: Manifest, result: RunResult, displayPath: string): void {
  const contradiction = findManifestContradiction(manifest, result);
  if (contradiction !== undefined) {
    const file = join(displayPath, "verdicts.json");
    throw new HarnessError(
      "usage",
      `${file} contradicts the manifest.json next to it: ${contradiction}; judge the run again with \`assay judge\``,
    );
  }
}

/** Creates a run with doubtful evidence. It has figures only if its result already reports the incomplete evidence. */
const markRunDoubtful = (result: RunResult, { bundle, reason }: DoubtfulEvidence): ReportedRun =>
  bundle === undefined
    ? { result: markResultDoubtful(result, `${reason}; it has no figures`) }
    : toReportedRun({ result, bundle });

/** Reads verdicts with their evidence, if there is any. Does not trust the outcome if they do not belong together. */
async function readRunWithEvidence(folder: string, displayPath: string): Promise<StoredRun> {
  const result = readVerdicts(join(folder, "verdicts.json"), join(displayPath, "verdicts.json"));
  const evidence = await readStoredEvidence(result, folder);
  switch (evidence.kind) {
    case "none":
      return {
        kind: "run",
        run: { result },
        notes: [`${displayPath} holds no evidence, so its verdicts are shown as they were stored`],
      };
    case "complete":
      rejectContradiction(evidence.bundle.manifest, result, displayPath);
      return { kind: "run", run: toReportedRun({ result, bundle: evidence.bundle }), notes: [] };
    case "doubtful":
      return { kind: "run", run: markRunDoubtful(result, evidence), notes: [`${displayPath}: ${evidence.reason}`] };
  }
}

/** Returns the name that a user gave a run: its folder or file name, if it differs from its id. */
function findCustomName({ path }: FoundRun, { run }: RunResult): string | undefined {
  const file = basename(path, ".json");
  const name = file === "verdicts" ? basename(dirname(path)) : file;
  return name === run.id || name === "" ? undefined : name;
}

/**
 * Reads a stored run. Trusts no file. Reports a folder without verdicts as not judged. Throws a `HarnessError`.
 */
export async function readStoredRun(foundRun: FoundRun): Promise<StoredRun> {
  const storedRun = await readFoundRun(foundRun);
  return storedRun.kind === "run"
    ? { ...storedRun, run: { ...storedRun.run, ...defined({ name: findCustomName(foundRun, storedRun.run.result) }) } }
    : storedRun;
}

async function readFoundRun({ kind, path, displayPath }: FoundRun): Promise<StoredRun> {
  switch (kind) {
    case "load-file":
      return { kind: "load", load: readLoadFile(path, displayPath), notes: [] };
    case "load-folder":
      return { kind: "load", load: readLoadFile(join(path, "load.json"), join(displayPath, "load.json")), notes: [] };
    case "load-part":
      throw new HarnessError(
        "usage",
        `${displayPath} is an unfinished load run without a load.json; run it again, merge it with others using \`assay load merge\`, or judge its exchanges with \`assay judge\``,
      );
    case "run-file":
      return { kind: "run", run: { result: readVerdicts(path, displayPath) }, notes: [] };
    case "run-folder":
      return readRunWithEvidence(path, displayPath);
    case "evidence":
      return createUnjudgedRun(path, displayPath);
  }
}
