import type { RuleStanding, RunOutcome } from "@assay/results";
import type { TerminalLayout } from "../printers/terminal/terminal-layout.ts";

/** Sign and word of a verdict after known failures are applied. */
export const verdictWords = {
  passed: { sign: "✓", word: "passed" },
  failed: { sign: "✗", word: "failed" },
  warned: { sign: "~", word: "warned" },
  "known-failure": { sign: "~", word: "known failure" },
  fixed: { sign: "✗", word: "fixed: remove the entry" },
  "not-tested": { sign: "?", word: "not tested" },
  "not-applicable": { sign: "-", word: "not applicable" },
  blocked: { sign: "?", word: "blocked" },
} as const satisfies Record<RuleStanding, { sign: string; word: string }>;
export type Sign = (typeof verdictWords)[RuleStanding]["sign"];

/** Sign and word of the outcome of a run. Only a run that passed has ✓. */
export const outcomeWords = {
  passed: { sign: "✓", word: "passed" },
  failed: { sign: "✗", word: "failed" },
  "usage-error": { sign: "✗", word: "wrong usage" },
  incomplete: { sign: "?", word: "incomplete" },
  "performance-failed": { sign: "✗", word: "performance failed" },
  "performance-inconclusive": { sign: "?", word: "performance inconclusive" },
  "cleanup-incomplete": { sign: "~", word: "cleanup incomplete" },
  "harness-error": { sign: "✗", word: "harness error" },
  interrupted: { sign: "?", word: "interrupted" },
} as const satisfies Record<RunOutcome, { sign: Sign; word: string }>;

/** Colours text by a sign. */
export const paintBySign = (sign: Sign, text: string, { paint }: Pick<TerminalLayout, "paint">): string => {
  const colours = { "✓": paint.green, "✗": paint.red, "~": paint.yellow, "?": paint.yellow, "-": paint.dim };
  return colours[sign](text);
};

/** The effect of a deviation on a standard SSE client, in one sentence without a trailing period. */
export const standardClientWords = {
  "same-events": "a standard SSE client reads the same events",
  "other-events": "a standard SSE client silently drops or changes events here",
  error: "a standard SSE client reports an error here",
} as const;
