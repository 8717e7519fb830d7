import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { toEvidenceError, writeWhole } from "@assay/evidence";
import { renderJunit, renderSummaryMarkdown, renderVerdictsJson } from "@assay/report";
import type { RunResult } from "@assay/results";

/** Writes `verdicts.json`, `junit.xml` and `summary.md`, each whole or not at all. Fails with a code of the disk. */
export async function writeResultFiles(folder: string, result: RunResult): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(join(folder, "verdicts.json"), renderVerdictsJson(result));
    await writeWhole(join(folder, "junit.xml"), renderJunit(result));
    await writeWhole(join(folder, "summary.md"), renderSummaryMarkdown(result));
  } catch (cause) {
    throw toEvidenceError(cause, `write the results to ${folder}`);
  }
}
