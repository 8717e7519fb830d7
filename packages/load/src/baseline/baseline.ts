import { HarnessError } from "@assay/contract";
import type { StoredRun } from "../compare/stored-run.ts";
import { isRecord } from "@assay/reading";
import { readStoredRun } from "./read-stored-run.ts";

/** Named runs for later comparisons, stored as `<name>.json` in the baseline folder. */
export interface Baseline {
  readonly assay: "baseline";
  readonly schemaVersion: 1;
  readonly name: string;
  readonly runs: readonly StoredRun[];
}

const createNotABaselineError = (origin: string): HarnessError =>
  new HarnessError(
    "not-a-baseline",
    `${origin} is not a baseline; remove the file and set the baseline again with \`assay baseline set\`.`,
  );

const parseJson = (text: string, origin: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw createNotABaselineError(origin);
  }
};

/** Reads the text of a baseline file. Fails with `not-a-baseline`, `unsupported-schema` or `not-a-load-result`. */
export const parseBaseline = (text: string, name: string, origin: string): Baseline => {
  const value = parseJson(text, origin);
  if (!isRecord(value) || value["assay"] !== "baseline" || !Array.isArray(value["runs"])) {
    throw createNotABaselineError(origin);
  }
  if (value["schemaVersion"] !== 1) {
    throw new HarnessError(
      "unsupported-schema",
      `${origin} does not have schema version 1, the only one this version of assay reads; set the baseline again.`,
    );
  }
  const runs = value["runs"].map((run: unknown, index) => readStoredRun(run, `run ${index + 1} in ${origin}`));
  return { assay: "baseline", schemaVersion: 1, name, runs };
};
