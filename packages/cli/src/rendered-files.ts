import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, toEvidenceError, writeAtomically } from "@assay/evidence";

/** A file that is rendered from results. */
export interface RenderedFile {
  readonly name: string;
  readonly render: () => string;
}

/** A file that could not be rendered, which is a bug of the harness. */
export interface UnrenderedFile {
  readonly name: string;
  readonly reason: string;
}

interface Rendering {
  readonly renderedTexts: readonly (readonly [name: string, text: string])[];
  readonly failures: readonly UnrenderedFile[];
}

const describeRenderError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Renders each file. An error of a renderer affects only its own file. */
function renderFiles(files: readonly RenderedFile[]): Rendering {
  const renderedTexts: (readonly [string, string])[] = [];
  const failures: UnrenderedFile[] = [];
  for (const { name, render } of files) {
    try {
      renderedTexts.push([name, render()]);
    } catch (error) {
      failures.push({ name, reason: describeRenderError(error) });
    }
  }
  return { renderedTexts, failures };
}

/**
 * Writes files to a folder in order, each completely or not at all. Returns the files that could not be rendered, and removes older
 * versions of them. Rejects with a disk error code.
 */
export async function writeRendered(
  folder: string,
  files: readonly RenderedFile[],
): Promise<readonly UnrenderedFile[]> {
  // Rendered first, so that a bug in a renderer is not reported as a disk error.
  const { renderedTexts, failures } = renderFiles(files);
  try {
    await makeFolder(folder);
    for (const [name, text] of renderedTexts) {
      await writeAtomically(join(folder, name), text);
    }
    await Promise.all(failures.map(({ name }) => rm(join(folder, name), { force: true })));
  } catch (cause) {
    throw toEvidenceError(cause, `write the results to ${folder}`);
  }
  return failures;
}

/** Returns a message about files that could not be rendered, or an empty string if there are none. */
export const describeUnrenderedFiles = (failures: readonly UnrenderedFile[]): string =>
  failures.length === 0
    ? ""
    : `assay: this is a bug in assay: ${failures.map(({ name, reason }) => `${name} could not be rendered (${reason})`).join("; ")}; all other files were written; please report it\n`;
