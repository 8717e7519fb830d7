import { readBundle } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { LoadJudgement } from "@assay/results";
import { judgeLoad, type LoadToJudge } from "@assay/runner";

/** A load to judge as it can go to another thread: what was sent without load is named by its folder. */
export interface KeptLoad extends Omit<LoadToJudge, "unloaded"> {
  readonly unloadedFolder: string;
}

/** Searches that were sent without load; none where there is no such folder. */
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
export async function judgeKeptLoad({ unloadedFolder, ...load }: KeptLoad): Promise<LoadJudgement> {
  return judgeLoad({ ...load, unloaded: { a: await unloadedIn(unloadedFolder) } });
}
