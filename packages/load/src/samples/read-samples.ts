import { HarnessError, isHarnessError } from "@assay/contract";
import { createReadStream } from "node:fs";
import type { SamplesHeader } from "@assay/results";
import { acceptKnownViolations } from "./accept-known-violations.ts";
import { parseSample, parseSamplesHeader } from "./parse-sample.ts";
import { createSampleTable, type SampleTable, type SampleTableLimits } from "./sample-table.ts";
import { createLineSplitter } from "./split-lines.ts";

/** The maximum length of a line in characters. A sample has a few hundred. */
export const maxSampleLineLength = 65_536;
const chunkBytes = 1_048_576;

/** The content of a samples file. */
export interface SamplesFile {
  readonly header: SamplesHeader;
  readonly samples: SampleTable;
  /** True if the file ends inside a line because its writer was stopped. That line is dropped. */
  readonly isTruncated: boolean;
  /** The number of complete lines that are not samples. */
  readonly unreadableCount: number;
  /** The number of samples beyond the limit, which are dropped. */
  readonly beyondLimitCount: number;
}

export interface SamplesOptions {
  readonly limits?: SampleTableLimits;
  /** Codes of known violations. Default: none. A sample with no other violation is read as `ok`. */
  readonly known?: Readonly<Record<string, unknown>>;
}

const wrapReadError = (path: string, cause: unknown): HarnessError => {
  if (isHarnessError(cause)) {
    return cause;
  }
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
  return new HarnessError("unreadable-samples", `cannot read the samples ${path}: ${reason}`, { cause });
};

/**
 * Reads `samples.ndjson` line by line into columns. A million samples take a few seconds, and about 110 bytes each.
 * Skips and counts a truncated last line and invalid lines. Fails with `unreadable-samples` if the file is missing or
 * its header has an unsupported version.
 */
export const readSamples = async (path: string, { known = {}, limits }: SamplesOptions = {}): Promise<SamplesFile> => {
  const builder = createSampleTable(limits);
  let header: SamplesHeader | undefined;
  let unreadableCount = 0;
  let beyondLimitCount = 0;
  const missingHeaderError = (): HarnessError =>
    new HarnessError(
      "unreadable-samples",
      `${path} does not begin with the header of a samples file of version 1 or 2; it was not written by this version's load scenarios`,
    );
  const onLine = (line: string): void => {
    if (header === undefined) {
      header = parseSamplesHeader(line);
      if (header === undefined) {
        throw missingHeaderError();
      }
      return;
    }
    const sample = parseSample(line);
    if (sample === undefined) {
      unreadableCount += 1;
    } else if (!builder.add(acceptKnownViolations(sample, known))) {
      beyondLimitCount += 1;
    }
  };
  const onLongLine = (): void => {
    unreadableCount += 1;
  };
  const splitter = createLineSplitter(maxSampleLineLength, { onLine, onLongLine });
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
      splitter.push(chunk);
    }
  } catch (cause) {
    throw wrapReadError(path, cause);
  }
  const isTruncated = splitter.end();
  if (header === undefined) {
    throw missingHeaderError();
  }
  return { header, samples: builder.table(), isTruncated, unreadableCount, beyondLimitCount };
};
