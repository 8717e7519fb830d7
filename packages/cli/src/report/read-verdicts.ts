import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { type Checker, checkerOf } from "@assay/reading";
import { concludeLoad, fromVersion1, RunResultShape } from "@assay/results";
import type { LoadResult, RunOutcome, RunResult } from "@assay/results";
import { readJsonFile } from "./read-json-file.ts";
import { contradictionIn, isBetter } from "./result-contradictions.ts";
import { readFileSync } from "node:fs";
import * as Type from "typebox";

const versionOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "schemaVersion" in value ? value.schemaVersion : undefined;

const checkVerdicts = checkerOf(RunResultShape);

/** The schemas of `@assay/results`; the path is the same from `src` and from `dist`. */
const folder = new URL("../../../results/schemas/", import.meta.url);
let loadChecker: Checker<LoadResult> | undefined;
const checkLoad = (): Checker<LoadResult> =>
  (loadChecker ??= checkerOf(
    Type.Unsafe<LoadResult>(JSON.parse(readFileSync(new URL("load-result.schema.json", folder), "utf8"))),
  ));

/** The refusal of a value that does not fit, with the place of its first problem. */
function refuse(
  problem: string | undefined,
  value: unknown,
  { shown, hint }: { readonly shown: string; readonly hint: string },
): HarnessError {
  const version = versionOf(value);
  if (typeof version === "number" && version !== 2) {
    return new HarnessError(
      "usage",
      `${shown} has schema version ${version}, and only 1 and 2 are read; use the version of Assay that wrote it`,
    );
  }
  return new HarnessError(
    "usage",
    `${shown} cannot be used: ${visibleText(problem ?? "it does not fit", 300)}; ${hint}`,
  );
}

/**
 * The result in a `verdicts.json`. The file is not trusted: it is checked against the published schema and for contradictions. Fails with a
 * `HarnessError` that names file and place.
 */
export function readVerdicts(path: string, shown: string): RunResult {
  const value = fromVersion1(readJsonFile(path, shown));
  if (!checkVerdicts.fits(value)) {
    throw refuse(checkVerdicts.problem(value), value, {
      shown,
      hint: "name the verdicts of a run, or judge it again with `assay judge`",
    });
  }
  const contradiction = contradictionIn(value);
  if (contradiction !== undefined) {
    throw new HarnessError(
      "usage",
      `${shown} contradicts itself: ${contradiction}; judge the run again with \`assay judge\``,
    );
  }
  return value;
}

/** The best outcome that the parts of a load run allow. Whether `--decide` was given is not stored. */
function ownOutcome(load: LoadResult): RunOutcome {
  const { outcome } = concludeLoad({ ...load, decide: false, okCount: 0 });
  const hasViolation = (load.canary?.failed.length ?? 0) > 0;
  return hasViolation && isBetter(outcome, "failed") ? "failed" : outcome;
}

/** The result in a `load.json`, checked against the published schema and for contradictions. Fails with a `HarnessError` that names file and place. */
export function readLoad(path: string, shown: string): LoadResult {
  const value = fromVersion1(readJsonFile(path, shown));
  if (!checkLoad().fits(value)) {
    throw refuse(checkLoad().problem(value), value, { shown, hint: "name the result of a load run" });
  }
  const own = ownOutcome(value);
  if (isBetter(value.outcome, own)) {
    throw new HarnessError(
      "usage",
      `${shown} contradicts itself: its outcome is ${value.outcome}, but its content means ${own}; run the load again`,
    );
  }
  return value;
}
