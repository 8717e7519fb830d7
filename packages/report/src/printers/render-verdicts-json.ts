import { type RunResult, stringifyRunResult } from "@assay/results";

/** Renders `verdicts.json`, in the published schema. The same result yields the same bytes. */
export const renderVerdictsJson = (result: RunResult): string => stringifyRunResult(result);
