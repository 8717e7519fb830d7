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
 * Text that is safe to print in one line: escapes everything that moves the cursor, reorders or hides text, and cuts it to the length of its
 * kind. All text of a result goes through this function, even our own, because a stored result may have been edited.
 */
export const shownText = (text: string, kind: keyof typeof shownLength = "sentence"): string =>
  visibleText(text, shownLength[kind]);
