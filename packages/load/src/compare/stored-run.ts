import { defined } from "@assay/contract";
import { closedObject, type Stored } from "@assay/reading";
import { LoadResultShape } from "@assay/results";
import * as Type from "typebox";

const members = LoadResultShape.properties;
const runMembers = members.run.properties;
const environmentMembers = members.environment.properties;
export const StoredRunShape = closedObject({
  schemaVersion: members.schemaVersion,
  run: closedObject({
    id: runMembers.id,
    startedAt: runMembers.startedAt,
    target: runMembers.target,
    against: runMembers.against,
    processes: runMembers.processes,
    scenarioSha256: runMembers.scenarioSha256,
  }),
  plan: members.plan,
  environment: closedObject({
    fingerprint: environmentMembers.fingerprint,
    cpuModel: environmentMembers.cpuModel,
    cores: environmentMembers.cores,
    k6Version: environmentMembers.k6Version,
  }),
  complete: members.complete,
  trust: closedObject({ valid: members.trust.properties.valid }),
  outcomes: members.outcomes,
  metrics: members.metrics,
  incomplete: Type.Optional(
    Type.Array(closedObject({ code: Type.String() }), {
      description: "Reasons for an incomplete result. A baseline has no such run.",
    }),
  ),
  folder: Type.Optional(Type.String({ description: "Folder of the run as shown to the user. Absent in a baseline." })),
});
/** The parts of a load run that a comparison reads. Every `LoadResult` is one, and a baseline stores nothing else. */
export interface StoredRun extends Stored<typeof StoredRunShape> {}

/** Returns the display name of a run: its id, and its folder if known and different. */
export const describeRun = ({ run: { id }, folder }: Pick<StoredRun, "run" | "folder">): string =>
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
