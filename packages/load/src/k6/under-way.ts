import { readFile } from "node:fs/promises";
import type { LoadSample } from "@assay/results";
import { isAmount, isCount, parseMembers } from "../samples/json-members.ts";
import { parseSample } from "../samples/parse-sample.ts";

/** What k6 has sent that had not ended a moment ago. */
export interface UnderWay {
  /** Virtual users at work, those of conversations included. */
  readonly atWork: number;
  /** Streams as if they had ended at that moment: what came has its time, and they are `canceled`. None that is known to have ended. */
  readonly streams: readonly LoadSample[];
}

/** Reads what is under way while k6 tells of it. */
export interface UnderWayReader {
  /** To be shown every sample: what has ended is told no more. */
  readonly ended: (sample: LoadSample) => void;
  /** What is under way; undefined as long as nobody tells. */
  readonly read: () => Promise<UnderWay | undefined>;
}

/** For so long what has ended may still be told as under way: both come from one clock, and k6 needs a moment between the two. */
const overlapMs = 5000;

/** Arrivals of one flow are planned at different times. */
const keyOf = ({ flow, planMs }: LoadSample): string => `${flow} ${planMs}`;

/** A reader of the file that k6 writes anew each second. Never fails: a file that is not there, or makes no sense, says nothing. */
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
