import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type CleanFiles, scanForSecrets, type Secret } from "@assay/evidence";

/** Removes each file in a folder that contains a secret, and returns their names. */
export async function removeLeaks(
  folder: string,
  secrets: readonly Secret[],
  cleanFiles: CleanFiles = new Map(),
): Promise<readonly string[]> {
  const hits = await scanForSecrets(folder, secrets, { clean: cleanFiles });
  const files = [...new Set(hits.map(({ file }) => file))];
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
  return files;
}
