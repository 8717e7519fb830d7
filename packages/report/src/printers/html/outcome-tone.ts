import type { RunOutcome } from "@assay/results";

/** The colour of an outcome; its sign and word are shown too. */
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

export const toneOf = (outcome: RunOutcome): Tone => tones[outcome];
