import { isHarnessError } from "@assay/contract";
import { listBaselineNames, readBaseline } from "./read-baseline.ts";

/** One row of the list: a baseline, or a file that is not a readable baseline. */
export type BaselineEntry =
  | {
      readonly name: string;
      readonly runs: number;
      readonly scenario: string;
      readonly target: string;
      /** Start of the first and of the last run; ISO 8601. */
      readonly from: string;
      readonly to: string;
    }
  | { readonly name: string; readonly problem: string };

const readEntry = async (folder: string, name: string): Promise<BaselineEntry> => {
  try {
    const { runs } = await readBaseline(folder, name);
    const times = runs.map(({ run }) => run.startedAt).toSorted();
    return {
      name,
      runs: runs.length,
      scenario: runs[0]?.plan.scenario ?? "",
      target: runs[0]?.run.target ?? "",
      from: times[0] ?? "",
      to: times.at(-1) ?? "",
    };
  } catch (cause) {
    if (isHarnessError(cause)) {
      return { name, problem: cause.message };
    }
    throw cause;
  }
};

/** Lists the baselines of a folder by name. A damaged file becomes a row with its problem. Fails with `unreadable` if the folder cannot be read. */
export const listBaselines = async (folder: string): Promise<readonly BaselineEntry[]> => {
  const entries: BaselineEntry[] = [];
  for (const name of await listBaselineNames(folder)) {
    entries.push(await readEntry(folder, name));
  }
  return entries;
};
