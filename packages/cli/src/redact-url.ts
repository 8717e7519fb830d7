import { visibleText } from "@assay/evidence";

const hasNoCredentials = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/u.test(url?.protocol ?? "") && url?.username === "" && url.password === "";
};

/**
 * Removes credentials from a URL, even from an invalid one. The text before its last `@` may be a user name and a password, unless it
 * is an http or https URL without them.
 */
export const redactUrl = (text: string): string =>
  visibleText(hasNoCredentials(text.trim()) ? text : text.replace(/^([a-z\d+.-]*:\/\/)?.*@/isu, "$1***@"), 300);
