import type { HtmlTag } from "./html-tags.ts";

/** Maximum number of links taken from a page. */
export const maxPageLinks = 10;

/** Maximum length of a link in characters. */
const maxLinkLength = 2048;
const maxCandidates = 1000;

/** Attributes in API viewers that contain the URL of the document: Redoc, RapiDoc, Scalar, Elements. */
const documentAttributes: ReadonlySet<string> = new Set(["spec-url", "data-spec-url", "apidescriptionurl"]);

/** Text before such a URL in a script: Swagger UI, Redoc, Scalar. Only the last characters are searched. */
const settingBefore =
  /(?:["'`]?(?:url|specurl|spec-url|definitionurl|apidescriptionurl)["'`]?\s{0,5}[:=]|(?:init|SwaggerUIBundle)\()\s{0,5}$/i;
const settingLength = 40;

/**
 * Collects likely URLs of the OpenAPI document in a page, best first. Only relative, http and https URLs without credentials. The caller
 * must reject links to a different origin.
 */
export class PageLinks {
  /** Likelihood of each link, in order of appearance. */
  readonly #scores = new Map<string, number>();
  #baseHref: string | undefined;

  /** Reads a start tag and the script in it. */
  add({ name, attributes, text }: HtmlTag): void {
    const href = attributes.get("href");
    if (name === "base" && href !== undefined) {
      this.#baseHref ??= href;
      return;
    }
    for (const [attribute, value] of attributes) {
      this.#addAttribute(attribute, value, { name, attributes });
    }
    if (name === "link" && href !== undefined && attributes.get("rel")?.toLowerCase() === "service-desc") {
      this.#record(href, 8);
    }
    this.addScript(text);
  }

  /** Finds URLs in the strings of a script or of JSON. */
  addScript(script: string): void {
    for (const match of script.matchAll(/(["'`])((?:[^"'`\\\s<>]|\\\/){1,2048})\1/g)) {
      const address = (match[2] ?? "").replaceAll("\\/", "/");
      const likeness = scoreUrl(address);
      if (likeness > 0) {
        const isSetting = settingBefore.test(script.slice(Math.max(0, match.index - settingLength), match.index));
        this.#record(address, isSetting || likeness > 3 ? likeness + (isSetting ? 4 : 0) : 0);
      }
    }
  }

  /** The links, at most 10. */
  list(): readonly string[] {
    const links = [...this.#scores].sort(([, a], [, b]) => b - a).map(([link]) => this.#resolve(link));
    return [...new Set(links.filter((link) => link !== undefined))].slice(0, maxPageLinks);
  }

  #addAttribute(attribute: string, value: string, { name, attributes }: Omit<HtmlTag, "text">): void {
    const likeness = scoreUrl(value);
    if (documentAttributes.has(attribute) || (attribute === "data-url" && name === "script")) {
      this.#record(value, 6 + likeness);
    } else if (attribute === "href" && attributes.has("download")) {
      this.#recordDownload(value, Math.max(likeness, scoreUrl(attributes.get("download") ?? "")));
    } else if (attribute === "data-configuration") {
      this.addScript(value);
    } else if (!fileNameAttributes.has(attribute)) {
      this.#record(value, likeness > minScore(attribute) ? likeness : 0);
    }
  }

  #recordDownload(link: string, likeness: number): void {
    this.#record(link, likeness === 0 ? 0 : likeness + 4);
  }

  #record(value: string, score: number): void {
    const link = value.trim();
    if (score === 0 || !isFetchable(link)) {
      return;
    }
    this.#scores.set(link, Math.max(score, this.#scores.get(link) ?? 0));
    if (this.#scores.size > maxCandidates) {
      const best = [...this.#scores].sort(([, a], [, b]) => b - a).slice(0, maxPageLinks);
      this.#scores.clear();
      for (const [bestLink, keptScore] of best) {
        this.#scores.set(bestLink, keptScore);
      }
    }
  }

  #resolve(link: string): string | undefined {
    const base = this.#baseHref === undefined ? undefined : parseLink(this.#baseHref, placeholderPage);
    const url = base === undefined ? undefined : parseLink(link, base.href);
    if (url === undefined) {
      return link;
    }
    const resolved = url.origin === new URL(placeholderPage).origin ? `${url.pathname}${url.search}` : url.href;
    return isFetchable(resolved) ? resolved : undefined;
  }
}

/** Returns the required score. A link must at least resemble an API document. Any other attribute must also have a matching file type. */
const minScore = (attribute: string): number => (attribute === "href" || attribute === "src" ? 1 : 3);

/** The suggested file name describes the adjacent link and is not a link itself. */
const fileNameAttributes: ReadonlySet<string> = new Set(["download", "alt", "title"]);

const placeholderPage = "http://page.invalid/";

const parseLink = (link: string, base: string): URL | undefined =>
  URL.canParse(link, base) ? new URL(link, base) : undefined;

/** Reports whether a link may be fetched. Control characters and blanks are rejected, not removed, because they could hide a scheme. */
const isFetchable = (link: string): boolean => {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (link === "" || link.length > maxLinkLength || link.startsWith("#") || /[\u0000- \u007f-\u00a0\\]/.test(link)) {
    return false;
  }
  const url = parseLink(link, placeholderPage);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
};

/** Scores how much a URL looks like the URL of an OpenAPI document, from 0 (no match) to 5. 1 means that only the file type matches. */
const scoreUrl = (url: string): number => {
  const path = url
    .slice(0, maxLinkLength)
    .replace(/[?#].*$/s, "")
    .toLowerCase();
  const hasApiName = /openapi|swagger|api-docs|apispec|api-spec/.test(path);
  const hasFileType = /\.(?:json|ya?ml)$/.test(path);
  const isPartOfViewer = /\.(?:js|mjs|css|map|png|svg|ico|html?)$/.test(path);
  if (isPartOfViewer) {
    return 0;
  }
  return (hasApiName ? 3 : 0) + (hasFileType ? (hasApiName ? 2 : 1) : 0);
};
