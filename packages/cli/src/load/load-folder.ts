import { defined, HarnessError } from "@assay/contract";
import type { KnownInLoad } from "@assay/runner";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, toEvidenceError, writeWhole } from "@assay/evidence";
import type { LoadPlan } from "@assay/results";
import { refuseFolder } from "../run/run-session.ts";
import { bundleBeside } from "./bundle-beside.ts";
import { writeLoadRunFile } from "./load-run-file.ts";
import type { LoadTargets } from "./load-targets.ts";

/** What lies in the folder of a load run before k6 starts. */
export interface PreparedFolder {
  readonly folder: string;
  readonly runId: string;
  readonly plan: LoadPlan;
  readonly targets: Pick<LoadTargets, "a">;
  /** Name of a scenario, or path of a file. */
  readonly scenario: string;
  readonly known?: KnownInLoad;
}

/** Makes a folder for a run, which is new or empty. Fails with a `HarnessError`. */
export async function makeRunFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    if ((await readdir(folder)).length > 0) {
      throw new HarnessError(
        "folder-not-empty",
        `the folder ${folder} already holds files; choose a new one for each run`,
      );
    }
  } catch (cause) {
    refuseFolder(toEvidenceError(cause, `make the folder ${folder}`));
  }
}

/**
 * Makes the folder of a run, which is new or empty, with its plan and its script; the digest of the script. Fails with a
 * `HarnessError`, also of a script that k6 could not run.
 */
export async function prepareFolder({
  folder,
  runId,
  plan,
  targets,
  scenario,
  known,
}: PreparedFolder): Promise<string> {
  await makeRunFolder(folder);
  await writeLoadRunFile(folder, {
    assay: "load-run",
    version: 1,
    runId,
    targets: Object.values(plan.targets),
    embedded: targets.a.embedded,
    ...defined({ known }),
  });
  await writeWhole(join(folder, "plan.json"), `${JSON.stringify(plan, undefined, 2)}\n`);
  const { sha256 } = await bundleBeside({ scenario, outFile: join(folder, "scenario.js") });
  return sha256;
}
