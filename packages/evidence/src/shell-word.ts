/** A text in single quotes, which a shell reads as it is. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text as a shell takes it for one word: in quotes where it would read more. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/u.test(text) ? text : shellQuoted(text));
