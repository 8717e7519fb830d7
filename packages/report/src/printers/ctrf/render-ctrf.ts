import type { LoadResult, RunResult } from "@assay/results";
import { createCtrfDocument } from "./ctrf-document.ts";
import { createLoadCases } from "../../document/load-cases.ts";
import { createRunCases } from "../../document/run-cases.ts";

/**
 * Renders `ctrf.json` of a run: a test for each rule, and one for the run. `passed`: passed, or warned in a run that is not strict (with a
 * message). `failed`: failed, fixed, or warned in a strict run. `skipped`: not tested, not applicable, or known failure, with the reason.
 * `other`: blocked. The test of the run fails if the rules do not explain the outcome, so `failed` is more than 0 if and only if the exit
 * code is not 0.
 */
export const renderCtrf = (result: RunResult): string => createCtrfDocument([createRunCases(result)]);

/** Renders `ctrf.json` of a load run: a test for each of its conditions, and one for the run. */
export const renderLoadCtrf = (result: LoadResult): string => createCtrfDocument([createLoadCases(result)]);
