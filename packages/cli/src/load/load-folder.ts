import { defined, HarnessError } from "@assay/contract";
import type { KnownLoadFailures } from "@assay/runner";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, toEvidenceError, writeAtomically } from "@assay/evidence";
import type { LoadPlan } from "@assay/results";
import { rejectUsedFolder } from "../run/run-session.ts";
import { bundleInChildProcess } from "./bundle-in-child-process.ts";
import { writeLoadRunFile } from "./load-run-file.ts";
import type { LoadTargets } from "./load-targets.ts";

/** The content of a load run's folder before k6 starts. */
export interface LoadFolderContent {
  readonly folder: string;
  readonly runId: string;
  readonly plan: LoadPlan;
  readonly targets: Pick<LoadTargets, "base">;
  /** Name of a scenario, or path of a user's file. */
  readonly scenario: string;
  readonly knownFailures?: KnownLoadFailures;
}

/** Creates the folder of a run, which must be new or empty. Throws a `HarnessError`. */
export async function createRunFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    if ((await readdir(folder)).length > 0) {
      throw new HarnessError("folder-not-empty", `the folder ${folder} is not empty; choose a new one for each run`);
    }
  } catch (cause) {
    rejectUsedFolder(toEvidenceError(cause, `make the folder ${folder}`));
  }
}

/** Rejects a user's script that does not import the module: it would leave no samples, so nothing could be judged. */
async function rejectScriptWithoutModule(scenario: string, script: string): Promise<void> {
  if (!(await readFile(script, "utf8")).includes("k6/x/assay")) {
    throw new HarnessError(
      "usage",
      `${scenario} does not import k6/x/assay, so its load would leave no samples; import it, for example by assay/scenarios/assay-recorder`,
    );
  }
}

/**
 * Creates the folder of a run, which must be new or empty, with its plan and script. Returns the digest of the script.
 * Throws a `HarnessError`, also for a script that k6 cannot run.
 */
export async function prepareFolder({
  folder,
  runId,
  plan,
  targets,
  scenario,
  knownFailures,
}: LoadFolderContent): Promise<string> {
  await createRunFolder(folder);
  await writeLoadRunFile(folder, {
    assay: "load-run",
    version: 1,
    runId,
    targets: Object.values(plan.targets),
    embedded: targets.base.embedded,
    ...defined({ known: knownFailures }),
  });
  await writeAtomically(join(folder, "plan.json"), `${JSON.stringify(plan, undefined, 2)}\n`);
  const outFile = join(folder, "scenario.js");
  const { sha256 } = await bundleInChildProcess({ scenario, outFile });
  await rejectScriptWithoutModule(scenario, outFile);
  return sha256;
}
