import { visibleText } from "@assay/evidence";

/** Maximum lengths, in characters, of text from a target. */
export const shownLength = {
  name: 120,
  sentence: 400,
  summary: 2000,
  url: 300,
  excerptSide: 120,
  command: 4000,
} as const;

/**
 * Makes text safe to print on one line: escapes characters that move the cursor, reorder or hide text, and truncates it to the maximum
 * length of its kind. All text of a result passes through this function, including our own, because a stored result may have been edited.
 */
export const escapeForDisplay = (text: string, kind: keyof typeof shownLength = "sentence"): string =>
  visibleText(text, shownLength[kind]);
