import { visibleText } from "@assay/evidence";

/** A word of a list between back-ticks, on one line and cut; what stands before an `@` may be a password and is left out. */
export const quoted = (word: string): string => `\`${visibleText(word.replace(/^.+@/su, "…@"), 100)}\``;
