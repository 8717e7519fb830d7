import { visibleText } from "@assay/evidence";

/** A word of a list in backticks, on one line and truncated. Text before an `@` may be a password and is left out. */
export const quoted = (word: string): string => `\`${visibleText(word.replace(/^.+@/su, "…@"), 100)}\``;
