import type { LoadSide } from "@assay/contract";
import { listKeptFiles, readBundle } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { LoadJudgement, LoadPlan } from "@assay/results";
import { createLoadJudge, type JudgedInterface, type LoadJudge, type LoadToJudge } from "@assay/runner";

/** Names of the folders, in the folder of a load run, with the requests to each target without load. */
export const unloadedFolders: Readonly<Record<LoadSide, string>> = { base: "unloaded", head: "unloaded-head" };

/** Name of the head's folder in runs of earlier versions. */
export const earlierHeadFolder = "unloaded-b";

/** Lists the interfaces that a plan uses. */
export function listInterfaces({ queries, conversation }: LoadPlan): ReadonlySet<JudgedInterface> {
  const streams: readonly JudgedInterface[] = queries.length > 0 ? ["stream"] : [];
  return new Set<JudgedInterface>([...streams, ...(conversation === undefined ? [] : [conversation.interface])]);
}

/** A load to judge, in a form that can be sent to another thread: with the folders of the requests without load. */
export interface KeptLoad extends Omit<LoadToJudge, "unloaded"> {
  /** Absolute paths. */
  readonly unloadedPaths: Readonly<Record<LoadSide, string>>;
}

/** A running load whose exchanges are judged as they arrive. */
export interface RunningLoad extends Pick<LoadToJudge, "interfaces"> {
  /** Folder of the exchanges. It need not exist yet. */
  readonly folder: string;
}

/** A message to the judging thread. */
export type JudgeRequest =
  | { readonly step: "follow"; readonly load: RunningLoad }
  | { readonly step: "finish"; readonly load: KeptLoad };

/** Reads requests without load. Returns none if there is no such folder. */
async function readUnloaded(folder: string): Promise<readonly RecordedExchange[]> {
  try {
    const { exchanges } = await readBundle(folder);
    return exchanges;
  } catch {
    // It is then unknown which failures occur only under load, and the result reports that.
    return [];
  }
}

/** Judges the kept exchanges of a load, with the judge that followed it, if any. */
export async function judgeKeptLoad(
  { unloadedPaths, ...load }: KeptLoad,
  judge: LoadJudge = createLoadJudge(load.interfaces),
): Promise<LoadJudgement> {
  try {
    const [base, head] = await Promise.all([readUnloaded(unloadedPaths.base), readUnloaded(unloadedPaths.head)]);
    return judge.finish({ ...load, unloaded: { base, head } });
  } finally {
    judge.close();
  }
}

const pollIntervalMs = 250;

/** Starts judging a running load. The returned function stops following it and returns the judge. */
export function followKeptLoad({ folder, interfaces }: RunningLoad): () => LoadJudge {
  const judge = createLoadJudge(interfaces);
  let timer: NodeJS.Timeout | undefined;
  const poll = (): void => {
    timer = setTimeout(poll, judge.follow(listKeptFiles(folder)) ? 0 : pollIntervalMs);
  };
  poll();
  return () => {
    clearTimeout(timer);
    return judge;
  };
}
