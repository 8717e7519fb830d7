import { defined } from "@assay/contract";
import type { LoadEnvironment, LoadResult } from "@assay/results";

/** The parts of a load run that a comparison reads. Every `LoadResult` is one, and a baseline stores nothing else. */
export interface StoredRun extends Pick<LoadResult, "schemaVersion" | "plan" | "complete" | "outcomes" | "metrics"> {
  readonly run: Pick<LoadResult["run"], "id" | "startedAt" | "target" | "against" | "processes" | "scenarioSha256">;
  readonly environment: Pick<LoadEnvironment, "fingerprint" | "cpuModel" | "cores" | "k6Version">;
  readonly trust: Pick<LoadResult["trust"], "valid">;
  /** Reasons for an incomplete result. A baseline has no such run. */
  readonly incomplete?: readonly Pick<LoadResult["incomplete"][number], "code">[];
  /** Folder of the run as shown to the user; absent in a baseline. */
  readonly folder?: string;
}

/** The name of a run for people: its id, and its folder if known and different. */
export const shownRun = ({ run: { id }, folder }: Pick<StoredRun, "run" | "folder">): string =>
  folder === undefined || folder.split(/[\\/]/u).at(-1) === id ? `run ${id}` : `run ${id} (${folder})`;

/** Reduces a load result to the parts that a comparison reads. */
export const toStoredRun = ({
  schemaVersion,
  run,
  plan,
  environment,
  complete,
  trust,
  outcomes,
  metrics,
}: StoredRun): StoredRun => ({
  schemaVersion,
  run: {
    id: run.id,
    startedAt: run.startedAt,
    target: run.target,
    ...defined({ against: run.against }),
    processes: run.processes,
    scenarioSha256: run.scenarioSha256,
  },
  plan,
  environment: {
    fingerprint: environment.fingerprint,
    cpuModel: environment.cpuModel,
    cores: environment.cores,
    k6Version: environment.k6Version,
  },
  complete,
  trust: { valid: trust.valid },
  outcomes,
  metrics,
});
