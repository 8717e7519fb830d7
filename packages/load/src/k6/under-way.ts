import { readFile } from "node:fs/promises";
import type { LoadSample } from "@assay/results";
import { isAmount, isCount, parseMembers } from "../samples/json-members.ts";
import { parseSample } from "../samples/parse-sample.ts";

/** Unfinished requests of k6 a moment ago. */
export interface UnderWay {
  /** Busy virtual users, including those of conversations. */
  readonly atWork: number;
  /**
   * Streams as if they were `canceled` at that moment, with the times seen so far. Streams known to have ended are left
   * out.
   */
  readonly streams: readonly LoadSample[];
}

/** Reads the unfinished requests that k6 writes. */
export interface UnderWayReader {
  /** Call with every finished sample, which is then left out. */
  readonly ended: (sample: LoadSample) => void;
  /** The unfinished requests; undefined without a file. */
  readonly read: () => Promise<UnderWay | undefined>;
}

/**
 * Time for which a finished stream may still be listed as unfinished. Both times come from one clock, and k6 needs a
 * moment between the two.
 */
const overlapMs = 5000;

/** Arrivals of one flow have different planned times. */
const keyOf = ({ flow, planMs }: LoadSample): string => `${flow} ${planMs}`;

/** Reads the file that k6 rewrites each second. Never fails: a missing or damaged file means undefined. */
export const createUnderWayReader = (path: string): UnderWayReader => {
  const known = new Map<string, number>();
  const forget = (beforeMs: number): void => {
    for (const [key, endMs] of known) {
      if (endMs < beforeMs) {
        known.delete(key);
      }
    }
  };
  return {
    ended: (sample) => {
      if (sample.kind === "stream") {
        known.set(keyOf(sample), sample.endMs);
      }
    },
    read: async () => {
      const [first = "", ...lines] = (await readFile(path, "utf8").catch(() => "")).split("\n");
      const { assay, nowMs, atWork } = parseMembers(first) ?? {};
      if (assay !== "under-way" || !isAmount(nowMs) || !isCount(atWork)) {
        return undefined;
      }
      forget(nowMs - overlapMs);
      const streams = lines
        .map((line) => parseSample(line))
        .filter((sample) => sample !== undefined)
        .filter((sample) => !known.has(keyOf(sample)));
      return { atWork, streams };
    },
  };
};
