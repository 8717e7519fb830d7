import { type FileHandle, open } from "node:fs/promises";
import type { LoadSample } from "@assay/results";
import { parseSample } from "../samples/parse-sample.ts";
import { maxSampleLineLength } from "../samples/read-samples.ts";
import { createLineSplitter } from "../samples/split-lines.ts";

/** Reads a samples file while k6 writes it. */
export interface SamplesFollower {
  /** Calls `onSample` for each sample added since the last call. Never fails: a missing file has no samples. */
  readonly read: (onSample: (sample: LoadSample) => void) => Promise<void>;
  readonly close: () => Promise<void>;
}

const chunkBytes = 262_144;
/** The limit of one call, so that it returns even if the file grows quickly. */
const maxBytesPerRead = 64 * 1_048_576;

const openIfExists = async (path: string): Promise<FileHandle | undefined> => open(path, "r").catch(() => undefined);

const ignore = (): void => undefined;

/** Follows a file from its beginning. Skips lines that are not samples, such as the header. */
export const followSamples = (path: string): SamplesFollower => {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let file: FileHandle | undefined;
  let handleSample: (sample: LoadSample) => void = ignore;
  const splitter = createLineSplitter(maxSampleLineLength, {
    onLine: (line) => {
      const sample = parseSample(line);
      if (sample !== undefined) {
        handleSample(sample);
      }
    },
    onLongLine: () => undefined,
  });
  const readOnce = async (from: FileHandle): Promise<number> => {
    const { bytesRead } = await from.read(buffer, 0, chunkBytes, null).catch(() => ({ bytesRead: 0 }));
    splitter.push(buffer.subarray(0, bytesRead));
    return bytesRead;
  };
  return {
    read: async (onSample) => {
      handleSample = onSample;
      file ??= await openIfExists(path);
      let remaining = file === undefined ? 0 : maxBytesPerRead;
      while (remaining > 0) {
        const bytesRead = file === undefined ? 0 : await readOnce(file);
        remaining = bytesRead === 0 ? 0 : remaining - bytesRead;
      }
    },
    close: async () => {
      await file?.close();
      file = undefined;
    },
  };
};
