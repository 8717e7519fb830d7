import type { RunResult } from "@assay/results";
import { junitDocument } from "./junit-document.ts";
import { runCases } from "../../document/run-cases.ts";

/**
 * `junit.xml`: a test suite for each operation of each interface, a test case for each rule. A violation is a failure, a rule
 * kept from its evidence an error, a rule without observation and a known failure skipped, a known failure that is gone a
 * failure. The suite `assay.run` has one case, an error whenever the others alone do not tell how the run ended, and a second
 * one, a failure, when the lists of known failures have mistakes; so the file is red exactly when the exit code is not 0. Well-formed XML 1.0
 * whatever the result holds; the same result gives the same bytes.
 */
export const renderJunit = (result: RunResult): string => junitDocument([runCases(result)]);
