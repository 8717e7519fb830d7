/** A text in single quotes for a shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text as one word of a shell, quoted if necessary. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/u.test(text) ? text : shellQuoted(text));
