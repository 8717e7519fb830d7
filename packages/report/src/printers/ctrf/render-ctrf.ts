import type { LoadResult, RunResult } from "@assay/results";
import { ctrfDocument } from "./ctrf-document.ts";
import { loadCases } from "../../document/load-cases.ts";
import { runCases } from "../../document/run-cases.ts";

/**
 * `ctrf.json` of a run: a test for each rule, and one for the run as a whole. How verdicts are told:
 * `passed`: it holds, or warns in a run that is not strict (then with a message); `failed`: a violation, a warning of a strict
 * run, a known failure that is gone; `skipped`: not observed, not applicable, and a known failure, with its reason; `other`: it
 * could not run; `pending` never. The run as a whole has failed whenever the rules alone do not tell how it ended, so that a
 * reader of `failed` alone never sees green where the exit code is not 0, and never red where it is.
 */
export const renderCtrf = (result: RunResult): string => ctrfDocument([runCases(result)]);

/** `ctrf.json` of a load run: a test for each of its conditions, and one for the run as a whole; `skipped` where nothing is said. */
export const renderLoadCtrf = (result: LoadResult): string => ctrfDocument([loadCases(result)]);
