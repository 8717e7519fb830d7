import type { LoadResult, RunResult } from "@assay/results";
import { junitDocument } from "./junit-document.ts";
import { loadCases } from "../../document/load-cases.ts";
import { runCases } from "../../document/run-cases.ts";

/**
 * `junit.xml`: a suite for each operation of each interface, a case for each rule. Failed and fixed rules are failures, blocked rules are
 * errors, rules that were not tested and known failures are skipped. The suite `assay.run` has one case, an error if the others do not
 * explain the outcome, and a second one, a failure, if the lists of known failures have mistakes. So the file has a failure or an error if
 * and only if the exit code is not 0. Always well-formed XML 1.0. The same result gives the same bytes.
 */
export const renderJunit = (result: RunResult): string => junitDocument([runCases(result)]);

/**
 * `junit.xml` of a load run: one suite with a case for the run, the contract under load, the canary, each threshold and each compared metric.
 * The case of the run is an error if the others do not explain the outcome. So the file has a failure or an error if and only if the exit
 * code is not 0.
 */
export const renderLoadJunit = (result: LoadResult): string => junitDocument([loadCases(result)]);
