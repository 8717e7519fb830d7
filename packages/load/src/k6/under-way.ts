import { readFile } from "node:fs/promises";
import type { LoadSample } from "@assay/results";
import { isAmount, isCount, parseMembers } from "../samples/json-members.ts";
import { parseSample } from "../samples/parse-sample.ts";

/** The latest known unfinished requests of k6. */
export interface RequestsUnderWay {
  /** The number of busy virtual users, including those in conversations. */
  readonly busyUsers: number;
  /**
   * The streams as if they were `canceled` at that moment, with the times observed so far. Excludes streams that
   * certainly ended.
   */
  readonly streams: readonly LoadSample[];
}

/** Reads the unfinished requests that k6 writes. */
export interface UnderWayReader {
  /** Excludes a sample from later reads. Call it with every finished sample. */
  readonly exclude: (sample: LoadSample) => void;
  /** Returns the unfinished requests, or undefined if there is no file. */
  readonly read: () => Promise<RequestsUnderWay | undefined>;
}

/** The maximum time for which k6 may list a finished stream as unfinished. Both times are from the same clock. */
const overlapMs = 5000;

/** Returns a unique key: the arrivals of one flow have different planned times. */
const sampleKey = ({ flow, planMs }: LoadSample): string => `${flow} ${planMs}`;

/** Creates a reader of the file that k6 rewrites every second. Never fails: `read` returns undefined for a missing or damaged file. */
export const createUnderWayReader = (path: string): UnderWayReader => {
  const endByStream = new Map<string, number>();
  const forgetEndedBefore = (beforeMs: number): void => {
    for (const [key, endMs] of endByStream) {
      if (endMs < beforeMs) {
        endByStream.delete(key);
      }
    }
  };
  return {
    exclude: (sample) => {
      if (sample.kind === "stream") {
        endByStream.set(sampleKey(sample), sample.endMs);
      }
    },
    read: async () => {
      const [header = "", ...lines] = (await readFile(path, "utf8").catch(() => "")).split("\n");
      const { assay, nowMs, atWork } = parseMembers(header) ?? {};
      if (assay !== "under-way" || !isAmount(nowMs) || !isCount(atWork)) {
        return undefined;
      }
      forgetEndedBefore(nowMs - overlapMs);
      const streams = lines
        .map((line) => parseSample(line))
        .filter((sample) => sample !== undefined)
        .filter((sample) => !endByStream.has(sampleKey(sample)));
      return { busyUsers: atWork, streams };
    },
  };
};
