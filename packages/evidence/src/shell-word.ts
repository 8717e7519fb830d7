/** Quotes text for a shell with single quotes. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns text as a single shell word, quoted if necessary. */
export const toShellWord = (text: string): string => (/^[\w./:@%+=,-]+$/u.test(text) ? text : quoteForShell(text));
