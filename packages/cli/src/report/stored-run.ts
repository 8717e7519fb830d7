import { join } from "node:path";
import { type Manifest, readBundle } from "@assay/evidence";
import type { ReportedRun } from "@assay/report";
import { concludeRun, type LoadResult, type RunResult } from "@assay/results";
import { bundleNotes } from "@assay/runner";
import { UsageError } from "../command-error.ts";
import { reportedRun } from "../result-files.ts";
import { doubtedResult } from "./doubted-result.ts";
import type { FoundRun } from "./find-runs.ts";
import { readLoad, readVerdicts } from "./read-verdicts.ts";
import { contradictionWith } from "./result-contradictions.ts";
import { type DoubtfulEvidence, storedEvidence } from "./stored-evidence.ts";

/** A stored run as it was found, and what a reader should know of it, sentences. */
export type StoredRun =
  | { readonly kind: "run"; readonly run: ReportedRun; readonly notes: readonly string[] }
  | { readonly kind: "load"; readonly load: LoadResult; readonly notes: readonly string[] };

/**
 * A run of which there are no verdicts: it was killed, or somebody removed them. It is not judged here, where it would look like
 * any other: whoever wants to know has to ask.
 */
async function notJudged(folder: string, shown: string): Promise<StoredRun> {
  const { manifest, ...bundle } = await readBundle(folder);
  const { tool, runId, startedAt, target, profile, seed, strict } = manifest;
  const result: RunResult = {
    schemaVersion: 1,
    tool,
    run: { id: runId, startedAt, target: target.url, embedded: target.embedded, profile, seed, strict },
    ...concludeRun({
      verdicts: [],
      strict,
      incomplete: [{ code: "not-judged", message: `not judged yet: \`assay judge ${shown}\`` }],
    }),
    verdicts: [],
    gaps: [],
    exchanges: [],
  };
  return { kind: "run", run: { result }, notes: bundleNotes({ ...bundle, manifest }) };
}

function refuseContradiction(manifest: Manifest, result: RunResult, shown: string): void {
  const contradiction = contradictionWith(manifest, result);
  if (contradiction !== undefined) {
    const file = join(shown, "verdicts.json");
    throw new UsageError(
      `${file} contradicts the manifest.json beside it: ${contradiction}; judge the run again with \`assay judge\``,
    );
  }
}

/** Figures are drawn where the result tells how much of the evidence there was; otherwise it is told now. */
const doubtedRun = (result: RunResult, { bundle, why }: DoubtfulEvidence): ReportedRun =>
  bundle === undefined
    ? { result: doubtedResult(result, `${why}; no figures are drawn of it`) }
    : reportedRun({ result, bundle });

/** Verdicts as they are stored, beside their evidence or without any: where it is not all theirs, they are not taken at their word. */
async function withEvidence(folder: string, shown: string): Promise<StoredRun> {
  const result = readVerdicts(join(folder, "verdicts.json"), join(shown, "verdicts.json"));
  const evidence = await storedEvidence(result, folder);
  switch (evidence.kind) {
    case "none":
      return {
        kind: "run",
        run: { result },
        notes: [`${shown} holds no evidence, so its verdicts are shown as they were stored`],
      };
    case "whole":
      refuseContradiction(evidence.bundle.manifest, result, shown);
      return { kind: "run", run: reportedRun({ result, bundle: evidence.bundle }), notes: [] };
    case "doubtful":
      return { kind: "run", run: doubtedRun(result, evidence), notes: [`${shown}: ${evidence.why}`] };
  }
}

/**
 * Reads what was found, all of it as if somebody hostile had written it. A folder without verdicts is said to be not judged. Fails with a
 * `UsageError` or an `EvidenceError`.
 */
export async function readStoredRun({ kind, path, shown }: FoundRun): Promise<StoredRun> {
  switch (kind) {
    case "load-file":
      return { kind: "load", load: readLoad(path, shown), notes: [] };
    case "load-folder":
      return { kind: "load", load: readLoad(join(path, "load.json"), join(shown, "load.json")), notes: [] };
    case "load-part":
      throw new UsageError(
        `${shown} is a load run that did not come to its end: there is no load.json in it; run it again, or merge its parts with \`assay load merge\``,
      );
    case "run-file":
      return { kind: "run", run: { result: readVerdicts(path, shown) }, notes: [] };
    case "run-folder":
      return withEvidence(path, shown);
    case "evidence":
      return notJudged(path, shown);
  }
}
