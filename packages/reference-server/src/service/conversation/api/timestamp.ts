/** Words of the document (`observed`), those of instances in the field, or both where a client of either can then read them. */
export type Vocabulary = "field" | "observed" | "both";

/** A time in UTC as both interfaces write it: with milliseconds, or as instances do, with whole seconds. */
export const timestamp = (timeMs: number, vocabulary: Vocabulary): string => {
  const text = new Date(timeMs).toISOString();
  return vocabulary === "field" ? text.replace(/\.\d+Z$/u, "Z") : text;
};
