import { defined } from "@assay/contract";
import { resolve } from "node:path";
import { type FoundK6, type Threshold, findK6, rejectTooShort } from "@assay/load";
import type { KnownFailureFile } from "@assay/evidence";
import type { LoadPlan } from "@assay/results";
import type { KnownLoadFailures } from "@assay/runner";
import { computeConversationRate, findInstalledK6, getBuiltK6Path } from "@assay/scenarios";
import type { CommandContext } from "../command-context.ts";
import { createRunId } from "../run/run-id.ts";
import type { ChosenScenario } from "./resolve-scenario.ts";
import { prepareFolder } from "./load-folder.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadTargets } from "./load-targets.ts";
import { planLoad } from "./plan-load.ts";

/** A load run. */
export interface LoadSession {
  readonly options: LoadOptions & { readonly seed: number };
  readonly context: CommandContext;
  readonly chosenScenario: ChosenScenario;
  readonly thresholds: readonly Threshold[];
  readonly targets: LoadTargets;
  readonly plan: LoadPlan;
  readonly runId: string;
  readonly startedAt: Date;
  readonly folder: string;
  readonly scenarioSha256: string;
  /** Undefined if there are no lists of known failures. */
  readonly knownFailures?: KnownLoadFailures;
}

/** Finds the k6 to use. Throws the errors of `findK6`. */
export const findUsableK6 = ({ env }: CommandContext): Promise<FoundK6> =>
  findK6({ env, builtPath: getBuiltK6Path(), ...defined({ installedPath: findInstalledK6() }) });

export interface SessionParts extends Pick<
  LoadSession,
  "options" | "context" | "chosenScenario" | "thresholds" | "targets"
> {
  readonly knownFailureFiles: readonly KnownFailureFile[];
}

/** Plans the run and prepares its folder. Throws the errors of `planLoad` and `prepareFolder`. */
export async function openSession({ knownFailureFiles, ...parts }: SessionParts): Promise<LoadSession> {
  const { options, context, chosenScenario, targets, thresholds } = parts;
  const startedAt = new Date();
  const runId = createRunId(startedAt);
  const plan = planLoad({ options, chosenScenario, targets, marker: runId });
  // The number of searches of a user's scenario is unknown.
  if (chosenScenario.source === chosenScenario.name) {
    rejectTooShort(thresholds, plan, {
      conversationRate: computeConversationRate,
      maxRatePerSecond: targets.limits.maxRatePerSecond,
    });
  }
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${runId}`);
  const knownFailures =
    knownFailureFiles.length === 0
      ? undefined
      : { files: knownFailureFiles, startedAt: startedAt.toISOString(), targets: plan.targets };
  const folderContent = {
    folder,
    runId,
    plan,
    targets,
    scenario: chosenScenario.source,
    ...defined({ knownFailures }),
  };
  const scenarioSha256 = await prepareFolder(folderContent);
  return { ...parts, plan, runId, startedAt, folder, scenarioSha256, ...defined({ knownFailures }) };
}
