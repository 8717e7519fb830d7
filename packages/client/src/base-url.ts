import { HarnessError, searchPath } from "@assay/contract";
import { visibleText } from "@assay/evidence";

const quoteUrl = (text: string): string => visibleText(text, 200);

function rejectExtraParts(url: URL): void {
  if (url.username !== "" || url.password !== "") {
    // Do not quote the URL: it contains a password.
    throw new HarnessError("bad-base-url", "the base URL contains a user name or password; set ASSAY_TOKEN instead");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new HarnessError(
      "bad-base-url",
      `the base URL ${quoteUrl(url.origin + url.pathname)} has a query or fragment; remove it`,
    );
  }
}

/**
 * Parses the base URL of a target, http or https. Keeps a path prefix and removes trailing slashes. Throws `bad-base-url` for other
 * schemes, and for a URL with a user name, password, query or fragment.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    const example = "write it like https://search.example.com";
    // An invalid URL may still contain a password before its @.
    const subject = text.includes("@") ? "the base URL" : `the base URL "${quoteUrl(text)}"`;
    throw new HarnessError("bad-base-url", `${subject} is not an http or https address; ${example}`);
  }
  rejectExtraParts(url);
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/** Parameters of a search, in the order of sending. A name may repeat. */
export type SearchParameters = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

/** Builds a URL under the base URL and keeps the path prefix of the base. Encodes spaces in the query as `%20`. */
export function buildUrl(base: URL, path: string, parameters: SearchParameters): string {
  const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters);
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return `${base.href.replace(/\/+$/, "")}${path}${query === "" ? "" : `?${query}`}`;
}

/** Returns the URL of a search. Source: search-stream, section 4. */
export const buildSearchUrl = (base: URL, parameters: SearchParameters): string =>
  buildUrl(base, searchPath, parameters);
