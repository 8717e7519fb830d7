import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { rm } from "node:fs/promises";

/** A folder that is removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-load-"));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** The folder of a run with its script. */
export const runFolder = async (script: string): Promise<string> => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "scenario.js"), script);
  await writeFile(join(folder, "plan.json"), "{}");
  return folder;
};

/** A shell script started instead of k6, for behaviour that k6 does not have. */
export const programIn = async (folder: string, shell: string): Promise<{ readonly path: string }> => {
  const path = join(folder, "program");
  await writeFile(path, `#!/bin/sh\n${shell}\n`);
  await chmod(path, 0o755);
  return { path };
};
