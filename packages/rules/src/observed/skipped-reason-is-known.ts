import { observedSkippedReasons } from "@assay/contract";
import { knownSkippedValue } from "./known-skipped-value.ts";

/** Reasons of skipped entries form an open set. Source: search-stream, section 2.2. */
export const skippedReasonIsKnown = knownSkippedValue("stream/skipped-reason-is-known", {
  key: "reason",
  known: observedSkippedReasons,
});
