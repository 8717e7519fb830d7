import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, toEvidenceError, writeWhole } from "@assay/evidence";

/** A file that is made of results. */
export interface RenderedFile {
  readonly name: string;
  readonly render: () => string;
}

/** A file that could not be made: a bug of the harness, told as the rest of a sentence. */
export interface UnrenderedFile {
  readonly name: string;
  readonly why: string;
}

interface Rendering {
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly failures: readonly UnrenderedFile[];
}

const whyOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** What each file holds; whatever a renderer throws costs its own file alone. */
function renderAll(files: readonly RenderedFile[]): Rendering {
  const texts: (readonly [string, string])[] = [];
  const failures: UnrenderedFile[] = [];
  for (const { name, render } of files) {
    try {
      texts.push([name, render()]);
    } catch (error) {
      failures.push({ name, why: whyOf(error) });
    }
  }
  return { texts, failures };
}

/**
 * Writes files into a folder, in their order, each whole or not at all; gives those that could not be rendered, of which none of
 * an earlier time is left. Fails with a code of the disk.
 */
export async function writeRendered(
  folder: string,
  files: readonly RenderedFile[],
): Promise<readonly UnrenderedFile[]> {
  // Rendered before anything is written: a bug in there is not a failure of the disk.
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

/** What a person is told about files that are missing; empty without any. */
export const unrenderedSentence = (failures: readonly UnrenderedFile[]): string =>
  failures.length === 0
    ? ""
    : `assay: this is a bug in assay: ${failures.map(({ name, why }) => `${name} could not be made (${why})`).join("; ")}; everything else was written, please report it\n`;
