import { visibleText } from "@assay/evidence";

/** Puts a word of a list in backticks, on one line and truncated. Replaces text before an `@`, because it may be a password. */
export const quoteWord = (word: string): string => `\`${visibleText(word.replace(/^.+@/su, "…@"), 100)}\``;
