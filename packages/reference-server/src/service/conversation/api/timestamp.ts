/**
 * Names and values of the specification (`observed`), of real instances (`field`), or both, which clients of either can read.
 */
export type Vocabulary = "field" | "observed" | "both";

/** Formats a time in UTC, with milliseconds or, like real instances, in whole seconds. */
export const formatTimestamp = (timeMs: number, vocabulary: Vocabulary): string => {
  const text = new Date(timeMs).toISOString();
  return vocabulary === "field" ? text.replace(/\.\d+Z$/u, "Z") : text;
};
