import { parseThreshold, type Threshold } from "@assay/load";
import type { LoadOptions } from "./load-options.ts";

/** The thresholds of a call, each with what follows when it is missed. Fails with a `HarnessError` for one that cannot be judged. */
export const givenThresholds = ({
  threshold = [],
  warnThreshold = [],
  abortThreshold = [],
}: Pick<LoadOptions, "threshold" | "warnThreshold" | "abortThreshold">): readonly Threshold[] => [
  ...threshold.map((text) => parseThreshold(text)),
  ...abortThreshold.map((text) => parseThreshold(text, "abort")),
  ...warnThreshold.map((text) => parseThreshold(text, "warn")),
];
