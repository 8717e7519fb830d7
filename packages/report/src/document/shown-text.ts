import { visibleText } from "@assay/evidence";

/** Lengths, in characters, to which text that may come from a target is cut before it is shown. */
export const shownLength = {
  name: 120,
  sentence: 400,
  summary: 2000,
  url: 300,
  excerptSide: 120,
  command: 4000,
} as const;

/**
 * Text made safe to show in one line: nothing in it moves the cursor, reorders or hides text. Cut to what its kind may take.
 * All text of a result goes through here, also what the project itself wrote: a stored result is a file somebody may have edited.
 */
export const shownText = (text: string, kind: keyof typeof shownLength = "sentence"): string =>
  visibleText(text, shownLength[kind]);
