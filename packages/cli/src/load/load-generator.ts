import type { FinishedLoad } from "@assay/load";
import type { LoadResult } from "@assay/results";
import type { SendLoad } from "./drive-load.ts";
import type { LoadSession } from "./load-session.ts";

/** The processes of k6 that send a load, and leave its samples: on this machine, or in a cluster. */
export interface LoadGenerator {
  readonly send: SendLoad;
  /** Lists the folders with samples, one for each process. They need not exist. */
  readonly listFolders: (session: Pick<LoadSession, "folder">) => readonly string[];
  readonly buildResult: (load: Omit<FinishedLoad, "environment">) => Promise<LoadResult>;
}
