import { join } from "node:path";
import { makeFolder, toEvidenceError, writeWhole } from "@assay/evidence";
import { renderJunit, renderSummaryMarkdown, renderVerdictsJson } from "@assay/report";
import type { RunResult } from "@assay/results";

/** Writes `verdicts.json`, `junit.xml` and `summary.md`, each whole or not at all. Fails with a code of the disk. */
export async function writeResultFiles(folder: string, result: RunResult): Promise<void> {
  // Rendered before anything is written: a bug in there is not a failure of the disk.
  const files: readonly (readonly [name: string, text: string])[] = [
    ["verdicts.json", renderVerdictsJson(result)],
    ["junit.xml", renderJunit(result)],
    ["summary.md", renderSummaryMarkdown(result)],
  ];
  try {
    await makeFolder(folder);
    for (const [name, text] of files) {
      await writeWhole(join(folder, name), text);
    }
  } catch (cause) {
    throw toEvidenceError(cause, `write the results to ${folder}`);
  }
}
