import { observedSeverities } from "@assay/contract";
import { knownSkippedValue } from "./known-skipped-value.ts";

/** Severities of skipped entries form an open set. Source: search-stream, section 2.2. */
export const skippedSeverityIsKnown = knownSkippedValue("stream/skipped-severity-is-known", {
  key: "severity",
  known: observedSeverities,
});
