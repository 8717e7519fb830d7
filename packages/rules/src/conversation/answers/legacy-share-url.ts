import { minSecretLength } from "@assay/evidence";
import { stringMember } from "@assay/reading";
import { defineConversationCheck } from "../engine/define-conversation-check.ts";
import { normalizeSecret } from "../engine/normalize-secret.ts";

const isAbsolute = (url: string): boolean => /^https?:\/\/[^\s/]/iu.test(url);

/**
 * Reports whether the URL is a path below the base URL, with or without a leading slash. It has no scheme and no
 * spaces, and is not empty.
 */
const isRelative = (url: string): boolean => /^(?![a-z][a-z\d+.-]*:)[^\s\\]+$/iu.test(url);

/**
 * The share URL is a URL, absolute or relative, and contains the read token, plain or escaped. Findings quote neither,
 * because both are secrets. An empty token grants nothing. Source: conversation-api, section 2.1.
 */
export const legacyShareUrlHoldsReadToken = defineConversationCheck({
  id: "legacy/share-url-holds-read-token",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "cancel", "list"],
  check({ json, pointer }, report) {
    const token = stringMember(json, "read_token");
    const url = stringMember(json, "share_url");
    if (token !== undefined || url !== undefined) {
      report.observation();
    }
    if (token === "") {
      report.violation({ message: "`read_token` is empty", code: "no-token", pointer: `${pointer}/read_token` });
    }
    if (url !== undefined && !isAbsolute(url) && !isRelative(url)) {
      report.violation({ message: "`share_url` is not a URL", code: "no-url", pointer: `${pointer}/share_url` });
    } else if (!mayContainToken(token === undefined ? undefined : normalizeSecret(token), url)) {
      report.violation({
        message: "`share_url` does not contain `read_token`",
        code: "token-not-in-url",
        pointer: `${pointer}/share_url`,
      });
    }
  },
});

/**
 * A share URL must work outside the instance. The specification does not require it to be absolute. Source:
 * conversation-api, section 2.1.
 */
export const legacyShareUrlIsAbsolute = defineConversationCheck({
  id: "legacy/share-url-is-absolute",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "cancel", "list"],
  check({ json, pointer }, report) {
    const url = stringMember(json, "share_url");
    // `legacy/share-url-holds-read-token` reports a string that is not a URL.
    if (url === undefined || !(isAbsolute(url) || isRelative(url))) {
      return;
    }
    report.observation();
    if (!isAbsolute(url)) {
      report.violation({ message: "`share_url` is relative", pointer: `${pointer}/share_url` });
    }
  },
});

/**
 * Reports whether a URL contains a token; true if either is missing. Also true for a token so short that evidence
 * replaces it only in its own member and not in the URL.
 */
const mayContainToken = (token = "", url = ""): boolean =>
  token.length < minSecretLength ||
  url === "" ||
  interpretUrl(url).some(
    (interpretation) => interpretation.includes(token) || interpretation.includes(escapeToken(token)),
  );

/** Returns the possible interpretations of a URL: unchanged, and unescaped where possible. */
function interpretUrl(url: string): readonly string[] {
  const unescapedUrl = url.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => unescapeBytes(escapes));
  return [url, unescapedUrl, unescapedUrl.replaceAll("+", " ")];
}

function unescapeBytes(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    // The bytes are not UTF-8.
    return escapes;
  }
}

function escapeToken(token: string): string {
  try {
    return encodeURIComponent(token);
  } catch {
    // Half of a surrogate pair cannot be escaped.
    return token;
  }
}
