import { type RunResult, stringifyRunResult } from "@assay/results";

/** `verdicts.json`: the result itself, in the published schema; the same result gives the same bytes. */
export const renderVerdictsJson = (result: RunResult): string => stringifyRunResult(result);
