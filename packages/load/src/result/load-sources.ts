import { defined, isHarnessError } from "@assay/contract";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { K6Summary } from "@assay/results";
import { readSamples, type SamplesFile } from "../samples/read-samples.ts";
import { readK6Summary } from "./read-k6-summary.ts";

/** Names of the files of a load run, inside its folder. */
export const loadFiles = {
  plan: "plan.json",
  scenario: "scenario.js",
  samples: "samples.ndjson",
  underWay: "under-way.ndjson",
  summary: "k6-summary.json",
  log: "k6.log",
  ledger: "ledger.ndjson",
  result: "load.json",
  canary: "canary",
  exchanges: "exchanges",
  authorities: "authorities.pem",
} as const;

/** The files of one process of a run. */
export interface LoadSources {
  readonly summary?: K6Summary;
  readonly samples?: SamplesFile;
  /** True if samples with only known violations count as `ok`. */
  readonly hasKnownCodes?: boolean;
  /** Reasons existing files cannot be used, as sentences. */
  readonly problems: readonly string[];
}

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

const collectProblem = async <T>(read: Promise<T>, problems: string[]): Promise<T | undefined> => {
  try {
    return await read;
  } catch (cause) {
    if (isHarnessError(cause)) {
      problems.push(cause.message);
      return undefined;
    }
    throw cause;
  }
};

/** Reads the existing files of a run. Reports unusable files in `problems`. `known` contains the codes of known violations. */
export const readLoadSources = async (
  folder: string,
  known: Readonly<Record<string, unknown>> = {},
): Promise<LoadSources> => {
  const problems: string[] = [];
  const samplesPath = join(folder, loadFiles.samples);
  const summary = await collectProblem(readK6Summary(join(folder, loadFiles.summary)), problems);
  const samples = (await isFile(samplesPath))
    ? await collectProblem(readSamples(samplesPath, { known }), problems)
    : undefined;
  return { ...defined({ summary, samples }), hasKnownCodes: Object.keys(known).length > 0, problems };
};
