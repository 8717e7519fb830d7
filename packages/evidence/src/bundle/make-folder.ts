import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const isThere = codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory();
    if (!isThere) {
      throw error;
    }
  }
}

/**
 * Creates a folder and its missing parents, by default for their owner only. Keeps existing folders unchanged. Throws the
 * error of the disk. Does not use Node's `recursive`: it retries
 * forever if `mkdir` fails with ENOENT in an existing folder, as in `/proc`.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if (codeOf(error) !== "ENOENT" || above === folder) {
      throw error;
    }
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}
