/** Formats a count with its noun, such as `1 rule` and `3 rules`. `plural` defaults to the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** Returns the first `max` names, followed by an element such as `2 more` if there are others. */
export const firstNames = (names: readonly string[], max: number): readonly string[] =>
  names.length > max ? [...names.slice(0, max), `${names.length - max} more`] : names;

/** Joins the first `max` names, such as `a, b, c and 2 more`. */
export const listNames = (names: readonly string[], max: number): string =>
  names.length > max ? `${names.slice(0, max).join(", ")} and ${names.length - max} more` : names.join(", ");
