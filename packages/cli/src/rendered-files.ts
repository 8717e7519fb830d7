import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, toEvidenceError, writeWhole } from "@assay/evidence";

/** A file that is rendered from results. */
export interface RenderedFile {
  readonly name: string;
  readonly render: () => string;
}

/** A file that could not be rendered, which is a bug of the harness, with the end of a sentence about it. */
export interface UnrenderedFile {
  readonly name: string;
  readonly why: string;
}

interface Rendering {
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly failures: readonly UnrenderedFile[];
}

const reasonFor = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** The text of each file. An error of one renderer affects only its own file. */
function renderAll(files: readonly RenderedFile[]): Rendering {
  const texts: (readonly [string, string])[] = [];
  const failures: UnrenderedFile[] = [];
  for (const { name, render } of files) {
    try {
      texts.push([name, render()]);
    } catch (error) {
      failures.push({ name, why: reasonFor(error) });
    }
  }
  return { texts, failures };
}

/**
 * Writes files into a folder in their order, each as a whole or not at all. Returns those that could not be rendered; older versions of
 * these are removed. Fails with a disk error code.
 */
export async function writeRendered(
  folder: string,
  files: readonly RenderedFile[],
): Promise<readonly UnrenderedFile[]> {
  // Rendered first, so that a bug in a renderer is not reported as a disk error.
  const { texts, failures } = renderAll(files);
  try {
    await makeFolder(folder);
    for (const [name, text] of texts) {
      await writeWhole(join(folder, name), text);
    }
    await Promise.all(failures.map(({ name }) => rm(join(folder, name), { force: true })));
  } catch (cause) {
    throw toEvidenceError(cause, `write the results to ${folder}`);
  }
  return failures;
}

/** The message about missing files; empty if there are none. */
export const unrenderedSentence = (failures: readonly UnrenderedFile[]): string =>
  failures.length === 0
    ? ""
    : `assay: this is a bug in assay: ${failures.map(({ name, why }) => `${name} could not be rendered (${why})`).join("; ")}; everything else was written, please report it\n`;
