import type { RunOutcome } from "@assay/results";

/** The colour in which an outcome is told; sign and word say it too. */
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

/** The tone of an outcome. */
export const toneOf = (outcome: RunOutcome): Tone => tones[outcome];
