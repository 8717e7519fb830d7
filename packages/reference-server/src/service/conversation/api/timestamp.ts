/**
 * Names and values of the specification (`observed`), of real instances (`field`), or of both if clients of either can read them.
 */
export type Vocabulary = "field" | "observed" | "both";

/** Formats a time in UTC: with milliseconds, or in whole seconds as real instances do. */
export const timestamp = (timeMs: number, vocabulary: Vocabulary): string => {
  const text = new Date(timeMs).toISOString();
  return vocabulary === "field" ? text.replace(/\.\d+Z$/u, "Z") : text;
};
