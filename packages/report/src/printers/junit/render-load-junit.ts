import type { LoadResult } from "@assay/results";
import { junitDocument } from "./junit-document.ts";
import { loadCases } from "../../document/load-cases.ts";

/**
 * `junit.xml` of a load run: one suite, a case for the contract under load, the canary, each threshold and each compared
 * metric, and one for the run as a whole, which is an error whenever the others do not tell how it ended. The file is red
 * exactly when the exit code is not 0.
 */
export const renderLoadJunit = (result: LoadResult): string => junitDocument([loadCases(result)]);
