import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { loadResultIn } from "@assay/load";
import { checkerOf } from "@assay/reading";
import { fromVersion1, type LoadResult, type RunResult, RunResultShape, unreadVersion } from "@assay/results";
import { readJsonFile } from "./read-json-file.ts";
import { findContradiction } from "./result-contradictions.ts";

const verdicts = checkerOf(RunResultShape);

/**
 * The result in a `verdicts.json`. The file is not trusted: it is checked against the published schema and for contradictions. Fails with a
 * `HarnessError` with the file and the JSON pointer.
 */
export function readVerdicts(path: string, shown: string): RunResult {
  const value = fromVersion1(readJsonFile(path, shown));
  const version = unreadVersion(value);
  if (version !== undefined) {
    throw new HarnessError(
      "usage",
      `${shown} has schema version ${version}, and only 1 and 2 are read; use the version of Assay that wrote it`,
    );
  }
  if (!verdicts.fits(value)) {
    const problem = visibleText(verdicts.problem(value) ?? "it does not fit", 300);
    throw new HarnessError(
      "usage",
      `${shown} cannot be used: ${problem}; name the verdicts of a run, or judge it again with \`assay judge\``,
    );
  }
  const contradiction = findContradiction(value);
  if (contradiction !== undefined) {
    throw new HarnessError(
      "usage",
      `${shown} contradicts itself: ${contradiction}; judge the run again with \`assay judge\``,
    );
  }
  return value;
}

/** The result in a `load.json`. Fails with a `HarnessError` with the file and the JSON pointer. */
export function readLoad(path: string, shown: string): LoadResult {
  const result = loadResultIn(readJsonFile(path, shown));
  if (typeof result === "string") {
    throw new HarnessError("usage", `${shown} ${result}`);
  }
  return result;
}
