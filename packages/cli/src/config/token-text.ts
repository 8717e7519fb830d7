/** What access tokens of the service, and of the usual forges, look like. */
const tokenText = /\b(?:sg[a-z]{1,2}_[A-Za-z0-9_]{16,}|gh[a-z]_[A-Za-z0-9]{20,}|glpat-[\w-]{16,}|github_pat_\w{20,})/gu;

/** Whether a text holds what looks like a token. */
export const holdsToken = (text: string): boolean => text.search(tokenText) !== -1;

/** The text with what looks like a token left out. */
export const withoutTokens = (text: string): string => text.replaceAll(tokenText, "***");
