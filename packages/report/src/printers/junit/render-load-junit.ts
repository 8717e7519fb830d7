import type { LoadResult } from "@assay/results";
import { junitDocument } from "./junit-document.ts";
import { loadCases } from "../../document/load-cases.ts";

/**
 * `junit.xml` of a load run: one suite with a case for the run, the contract under load, the canary, each threshold and each compared metric.
 * The case of the run is an error if the others do not explain the outcome. So the file has a failure or an error if and only if the exit
 * code is not 0.
 */
export const renderLoadJunit = (result: LoadResult): string => junitDocument([loadCases(result)]);
