import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { parseLoadResult } from "@assay/load";
import { createChecker } from "@assay/reading";
import {
  upgradeFromVersion1,
  type LoadResult,
  type RunResult,
  RunResultShape,
  findUnreadableVersion,
} from "@assay/results";
import { readJsonFile } from "./read-json-file.ts";
import { findContradiction } from "./result-contradictions.ts";

const verdictsChecker = createChecker(RunResultShape);

/**
 * Reads the result in a `verdicts.json`. The file is not trusted: it is checked against the published schema and for contradictions. Throws
 * a `HarnessError` with the file and the JSON pointer.
 */
export function readVerdicts(path: string, displayPath: string): RunResult {
  const value = upgradeFromVersion1(readJsonFile(path, displayPath));
  const version = findUnreadableVersion(value);
  if (version !== undefined) {
    throw new HarnessError(
      "usage",
      `${displayPath} has schema version ${version}, and only 1 and 2 are read; use the version of Assay that wrote it`,
    );
  }
  if (!verdictsChecker.fits(value)) {
    const problem = visibleText(verdictsChecker.problem(value) ?? "it does not fit", 300);
    throw new HarnessError(
      "usage",
      `${displayPath} cannot be used: ${problem}; pass the verdicts of a run, or judge it again with \`assay judge\``,
    );
  }
  const contradiction = findContradiction(value);
  if (contradiction !== undefined) {
    throw new HarnessError(
      "usage",
      `${displayPath} contradicts itself: ${contradiction}; judge the run again with \`assay judge\``,
    );
  }
  return value;
}

/** Reads the result in a `load.json`. Throws a `HarnessError` with the file and the JSON pointer. */
export function readLoadFile(path: string, displayPath: string): LoadResult {
  const result = parseLoadResult(readJsonFile(path, displayPath));
  if (typeof result === "string") {
    throw new HarnessError("usage", `${displayPath} ${result}`);
  }
  return result;
}
