import type { LoadResult, RunResult } from "@assay/results";
import { createJunitDocument } from "./junit-document.ts";
import { createLoadCases } from "../../document/load-cases.ts";
import { createRunCases } from "../../document/run-cases.ts";

/**
 * Renders `junit.xml`: a suite for each operation of each interface, a case for each rule. Failed and fixed rules are failures, and blocked
 * rules are errors. Known failures and rules that were not tested are skipped. The suite `assay.run` contains a case that is an error if the
 * others do not explain the outcome, and a failed case if the lists of known failures have mistakes. So the file contains a failure or an
 * error if and only if the exit code is not 0. Always well-formed XML 1.0. The same result yields the same bytes.
 */
export const renderJunit = (result: RunResult): string => createJunitDocument([createRunCases(result)]);

/**
 * Renders `junit.xml` of a load run: one suite with a case for the run, the contract under load, the canary, each threshold and each
 * compared metric. The case of the run is an error if the others do not explain the outcome. So the file contains a failure or an error if
 * and only if the exit code is not 0.
 */
export const renderLoadJunit = (result: LoadResult): string => createJunitDocument([createLoadCases(result)]);
