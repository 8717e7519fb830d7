import { HarnessError, isHarnessError } from "@assay/contract";
import { createReadStream } from "node:fs";
import type { SamplesHeader } from "@assay/results";
import { withoutKnown } from "./known-violation.ts";
import { parseSample, parseSamplesHeader } from "./parse-sample.ts";
import { createSampleTable, type SampleTable, type SampleTableLimits } from "./sample-table.ts";
import { createLineSplitter } from "./split-lines.ts";

/** Longest line of a samples file; a sample has a few hundred characters. */
export const maxSampleLine = 65_536;
const chunkBytes = 1_048_576;

/** What a samples file held. */
export interface SamplesFile {
  readonly header: SamplesHeader;
  readonly samples: SampleTable;
  /** The file ends inside a line: whoever wrote it was stopped. That line is left out. */
  readonly truncated: boolean;
  /** Whole lines that are no sample; they are left out. */
  readonly unreadable: number;
  /** Samples left out because the file has more than are taken. */
  readonly beyondLimit: number;
}

/** How samples are read. */
export interface SamplesOptions {
  readonly limits?: SampleTableLimits;
  /** Codes of violations that are known [none]: a sample that has no other went well. */
  readonly known?: Readonly<Record<string, unknown>>;
}

const failureOf = (path: string, cause: unknown): HarnessError => {
  if (isHarnessError(cause)) {
    return cause;
  }
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
  return new HarnessError("unreadable-samples", `cannot read the samples ${path}: ${reason}`, { cause });
};

/**
 * Reads `samples.ndjson` line by line into columns: a million samples in a few seconds and about 110 bytes each. Tolerates a cut last line, lines that
 * are no samples and unknown members, and tells them. Fails with `unreadable-samples` when there is no such file or its first
 * line is not the header of a version that can be read.
 */
export const readSamples = async (path: string, { known = {}, limits }: SamplesOptions = {}): Promise<SamplesFile> => {
  const builder = createSampleTable(limits);
  let header: SamplesHeader | undefined;
  let unreadable = 0;
  let beyondLimit = 0;
  const noHeader = (): HarnessError =>
    new HarnessError(
      "unreadable-samples",
      `${path} does not begin with the header of a samples file of version 1; it was not written by a load scenario`,
    );
  const onLine = (line: string): void => {
    if (header === undefined) {
      header = parseSamplesHeader(line);
      if (header === undefined) {
        throw noHeader();
      }
      return;
    }
    const sample = parseSample(line);
    if (sample === undefined) {
      unreadable += 1;
    } else if (!builder.add(withoutKnown(sample, known))) {
      beyondLimit += 1;
    }
  };
  const onLongLine = (): void => {
    unreadable += 1;
  };
  const splitter = createLineSplitter(maxSampleLine, { onLine, onLongLine });
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
      splitter.push(chunk);
    }
  } catch (cause) {
    throw failureOf(path, cause);
  }
  const truncated = splitter.end();
  if (header === undefined) {
    throw noHeader();
  }
  return { header, samples: builder.table(), truncated, unreadable, beyondLimit };
};
