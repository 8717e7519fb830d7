/** Words of the document, or those of instances in the field. */
export type Vocabulary = "field" | "observed";

/** A time in UTC as both interfaces write it: with milliseconds, or as instances do, with whole seconds. */
export const timestamp = (timeMs: number, vocabulary: Vocabulary): string => {
  const text = new Date(timeMs).toISOString();
  return vocabulary === "field" ? text.replace(/\.\d+Z$/u, "Z") : text;
};
