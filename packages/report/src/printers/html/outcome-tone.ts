import type { RunOutcome } from "@assay/results";

/** The colour of an outcome, which is shown in addition to its sign and word. */
export type Tone = "good" | "bad" | "warn" | "unknown";

const tones: Readonly<Record<RunOutcome, Tone>> = {
  passed: "good",
  failed: "bad",
  "usage-error": "bad",
  incomplete: "unknown",
  "performance-failed": "bad",
  "performance-inconclusive": "unknown",
  "cleanup-incomplete": "warn",
  "harness-error": "bad",
  interrupted: "unknown",
};

export const getOutcomeTone = (outcome: RunOutcome): Tone => tones[outcome];
