import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const getErrorCode = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

async function makeSingleFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const exists = getErrorCode(error) === "EEXIST" && (await stat(folder)).isDirectory();
    if (!exists) {
      throw error;
    }
  }
}

/**
 * Creates a folder and its missing parents, by default accessible only to their owner. Keeps existing folders unchanged. Throws system
 * errors. Does not use Node's `recursive`, which retries forever if `mkdir` fails with ENOENT in an existing folder, as in `/proc`.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  try {
    await makeSingleFolder(folder, mode);
  } catch (error) {
    const parent = dirname(folder);
    if (getErrorCode(error) !== "ENOENT" || parent === folder) {
      throw error;
    }
    await makeFolder(parent, mode);
    await makeSingleFolder(folder, mode);
  }
}
