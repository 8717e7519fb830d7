import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { toEvidenceError, writeWhole } from "@assay/evidence";
import { renderJunit, renderSummaryMarkdown, renderVerdictsJson } from "@assay/report";
import type { RunResult } from "@assay/results";

/** The files every judged run leaves, rendered from one value. */
export interface ResultFiles {
  readonly verdicts: string;
}

/** Writes `verdicts.json`, `junit.xml` and `summary.md`, each whole or not at all. Fails with a code of the disk. */
export async function writeResultFiles(folder: string, result: RunResult): Promise<ResultFiles> {
  const verdicts = renderVerdictsJson(result);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(join(folder, "verdicts.json"), verdicts);
    await writeWhole(join(folder, "junit.xml"), renderJunit(result));
    await writeWhole(join(folder, "summary.md"), renderSummaryMarkdown(result));
  } catch (cause) {
    throw toEvidenceError(cause, `write the results to ${folder}`);
  }
  return { verdicts };
}
