import { type RunResult, stringifyRunResult } from "@assay/results";

/** `verdicts.json`, in the published schema. The same result gives the same bytes. */
export const renderVerdictsJson = (result: RunResult): string => stringifyRunResult(result);
