/** Reports whether a document is specified by its URL rather than as a file. */
export const isUrl = (name: string): boolean => /^https?:/iu.test(name);
