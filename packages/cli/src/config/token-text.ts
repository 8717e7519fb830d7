/** Access tokens of the service and of common code hosts. */
const tokenText = /\b(?:sg[a-z]{1,2}_[A-Za-z0-9_]{16,}|gh[a-z]_[A-Za-z0-9]{20,}|glpat-[\w-]{16,}|github_pat_\w{20,})/gu;

/** Reports whether text contains a possible token. */
export const containsToken = (text: string): boolean => text.search(tokenText) !== -1;

/** Replaces possible tokens in text. */
export const redactTokens = (text: string): string => text.replaceAll(tokenText, "***");
