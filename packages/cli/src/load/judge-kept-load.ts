import { keptFilesIn, readBundle } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { LoadArm, LoadJudgement, LoadPlan } from "@assay/results";
import { createLoadJudge, type JudgedInterface, type LoadJudge, type LoadToJudge } from "@assay/runner";

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

/** A load that is under way, whose exchanges are to be judged meanwhile. */
export interface LoadUnderWay extends Pick<LoadToJudge, "interfaces"> {
  /** Of the exchanges; need not be there yet. */
  readonly folder: string;
}

/** What the thread that judges exchanges of a load is asked to do. */
export type AskedOfJudge =
  | { readonly step: "follow"; readonly load: LoadUnderWay }
  | { readonly step: "finish"; readonly load: KeptLoad };

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

/** Judges the exchanges that a load kept, with the judge that has followed it, if there is one. */
export async function judgeKeptLoad(
  { unloadedFolders, ...load }: KeptLoad,
  judge: LoadJudge = createLoadJudge(load.interfaces),
): Promise<LoadJudgement> {
  try {
    const [a, b] = await Promise.all([unloadedIn(unloadedFolders.a), unloadedIn(unloadedFolders.b)]);
    return judge.finish({ ...load, unloaded: { a, b } });
  } finally {
    judge.close();
  }
}

const lookEveryMs = 250;

/** Follows a load. What it gives ends that, and has the judge of what was there until then. */
export function followKeptLoad({ folder, interfaces }: LoadUnderWay): () => LoadJudge {
  const judge = createLoadJudge(interfaces);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = setTimeout(look, judge.follow(keptFilesIn(folder)) ? 0 : lookEveryMs);
  };
  look();
  return () => {
    clearTimeout(timer);
    return judge;
  };
}
