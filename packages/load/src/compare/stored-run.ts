import { defined } from "@assay/contract";
import type { LoadEnvironment, LoadResult } from "@assay/results";

/** What of a load run decides a comparison: every `LoadResult` is one, and a baseline keeps no more than this. */
export interface StoredRun extends Pick<LoadResult, "schemaVersion" | "plan" | "complete" | "outcomes" | "metrics"> {
  readonly run: Pick<LoadResult["run"], "id" | "startedAt" | "target" | "against" | "processes" | "scenarioSha256">;
  readonly environment: Pick<LoadEnvironment, "fingerprint" | "cpuModel" | "cores" | "k6Version">;
  readonly trust: Pick<LoadResult["trust"], "valid">;
  /** Why it decided nothing; a baseline keeps none, since no such run gets into it. */
  readonly incomplete?: readonly Pick<LoadResult["incomplete"][number], "code">[];
  /** Folder in which a person finds it, as it is told to him; a baseline keeps none. */
  readonly folder?: string;
}

/** What a person is told of a run: its id, and its folder where that is known and called something else. */
export const shownRun = ({ run: { id }, folder }: Pick<StoredRun, "run" | "folder">): string =>
  folder === undefined || folder.split(/[\\/]/u).at(-1) === id ? `run ${id}` : `run ${id} (${folder})`;

/** Takes from a load result what a comparison needs. */
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
