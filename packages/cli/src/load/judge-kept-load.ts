import { readBundle } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { LoadArm, LoadJudgement, LoadPlan } from "@assay/results";
import { type JudgedInterface, judgeLoad, type LoadToJudge } from "@assay/runner";

/** Names of the folders, in that of a load run, of what was sent to each target without load. */
export const unloadedFolders: Readonly<Record<LoadArm, string>> = { a: "unloaded", b: "unloaded-b" };

/** Interfaces that a scenario asks. */
export function interfacesOf({ queries, conversation }: LoadPlan): ReadonlySet<JudgedInterface> {
  const streams: readonly JudgedInterface[] = queries.length > 0 ? ["stream"] : [];
  return new Set<JudgedInterface>([...streams, ...(conversation === undefined ? [] : [conversation.interface])]);
}

/** A load to judge as it can go to another thread: what was sent without load is named by its folders. */
export interface KeptLoad extends Omit<LoadToJudge, "unloaded"> {
  readonly unloadedFolders: Readonly<Record<LoadArm, string>>;
}

/** What was sent without load; nothing where there is no such folder. */
async function unloadedIn(folder: string): Promise<readonly RecordedExchange[]> {
  try {
    const { exchanges } = await readBundle(folder);
    return exchanges;
  } catch {
    // Without them it is not known what breaks under load only, and the result says so.
    return [];
  }
}

/** Judges the exchanges that a load kept. */
export async function judgeKeptLoad({ unloadedFolders, ...load }: KeptLoad): Promise<LoadJudgement> {
  const [a, b] = await Promise.all([unloadedIn(unloadedFolders.a), unloadedIn(unloadedFolders.b)]);
  return judgeLoad({ ...load, unloaded: { a, b } });
}
