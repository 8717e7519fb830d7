import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bundle, bundleFiles, EvidenceError, readBundle } from "@assay/evidence";
import type { ReportedRun } from "@assay/report";
import type { LoadResult, RunResult } from "@assay/results";
import { bundleNotes, judgeBundle } from "@assay/runner";
import { UsageError } from "../command-error.ts";
import { reportedRun } from "../result-files.ts";
import type { FoundRun } from "./find-runs.ts";
import { readLoad, readVerdicts } from "./read-verdicts.ts";

/** A stored run as it was found, and what a reader should know of it, sentences. */
export type StoredRun =
  | { readonly kind: "run"; readonly run: ReportedRun; readonly notes: readonly string[] }
  | { readonly kind: "load"; readonly load: LoadResult; readonly notes: readonly string[] };

/** The evidence beside a result, where it can still be read; the page has no figures without it. */
async function bundleIn(folder: string): Promise<Bundle | undefined> {
  try {
    return await readBundle(folder);
  } catch (error) {
    if (error instanceof EvidenceError) {
      return undefined;
    }
    throw error;
  }
}

/** A run of which there are no verdicts: it was killed, or somebody removed them. */
async function judgedNow(folder: string, shown: string): Promise<StoredRun> {
  const bundle = await readBundle(folder);
  const result = await judgeBundle(bundle);
  const note = `${shown} has no verdicts.json, so its evidence was judged now`;
  return { kind: "run", run: reportedRun({ result, bundle }), notes: [note, ...bundleNotes(bundle)] };
}

async function withFigures(result: RunResult, folder: string): Promise<ReportedRun> {
  const bundle = existsSync(join(folder, bundleFiles.manifest)) ? await bundleIn(folder) : undefined;
  return bundle === undefined || bundle.manifest.runId !== result.run.id ? { result } : reportedRun({ result, bundle });
}

/**
 * Reads what was found, all of it as if somebody hostile had written it. A folder without verdicts is judged. Fails with a
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
    case "run-folder": {
      const result = readVerdicts(join(path, "verdicts.json"), join(shown, "verdicts.json"));
      return { kind: "run", run: await withFigures(result, path), notes: [] };
    }
    case "evidence":
      return judgedNow(path, shown);
  }
}
