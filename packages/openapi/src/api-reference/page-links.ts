import type { HtmlTag } from "./html-tags.ts";

/** Most links that are taken from a page. */
export const maxPageLinks = 10;

/** Longest link that is taken, in characters. */
const maxLinkLength = 2048;
const maxCandidates = 1000;

/** Attributes by which viewers of API documents are told where the document is: Redoc, RapiDoc, Scalar, Elements. */
const documentAttributes: ReadonlySet<string> = new Set(["spec-url", "data-spec-url", "apidescriptionurl"]);

/** What stands before such an address in a script: Swagger UI, Redoc, Scalar. Looked for in the last characters only. */
const settingBefore =
  /(?:["'`]?(?:url|specurl|spec-url|definitionurl|apidescriptionurl)["'`]?\s{0,5}[:=]|(?:init|SwaggerUIBundle)\()\s{0,5}$/i;
const settingLength = 40;

/**
 * Collects where a page says the OpenAPI document is, the likeliest first. Only addresses of http and https and relative
 * ones, without credentials; a link of another origin is for the caller to refuse.
 */
export class PageLinks {
  /** Likelihood of each link; what came first is earlier. */
  readonly #scores = new Map<string, number>();
  #base: string | undefined;

  /** Looks at a start tag, and at the script in it. */
  add({ name, attributes, text }: HtmlTag): void {
    const href = attributes.get("href");
    if (name === "base" && href !== undefined) {
      this.#base ??= href;
      return;
    }
    for (const [attribute, value] of attributes) {
      this.#addAttribute(attribute, value, { name, attributes });
    }
    if (name === "link" && href !== undefined && attributes.get("rel")?.toLowerCase() === "service-desc") {
      this.#note(href, 8);
    }
    this.addScript(text);
  }

  /** Looks for addresses among the texts in a script, or in JSON. */
  addScript(script: string): void {
    for (const found of script.matchAll(/(["'`])((?:[^"'`\\\s<>]|\\\/){1,2048})\1/g)) {
      const address = (found[2] ?? "").replaceAll("\\/", "/");
      const likeness = likenessOf(address);
      if (likeness > 0) {
        const isSetting = settingBefore.test(script.slice(Math.max(0, found.index - settingLength), found.index));
        this.#note(address, isSetting || likeness > 3 ? likeness + (isSetting ? 4 : 0) : 0);
      }
    }
  }

  /** The links, at most 10. */
  found(): readonly string[] {
    const links = [...this.#scores].sort(([, a], [, b]) => b - a).map(([link]) => this.#resolved(link));
    return [...new Set(links.filter((link) => link !== undefined))].slice(0, maxPageLinks);
  }

  #addAttribute(attribute: string, value: string, { name, attributes }: Omit<HtmlTag, "text">): void {
    const likeness = likenessOf(value);
    if (documentAttributes.has(attribute) || (attribute === "data-url" && name === "script")) {
      this.#note(value, 6 + likeness);
    } else if (attribute === "href" && attributes.has("download")) {
      this.#noteDownload(value, Math.max(likeness, likenessOf(attributes.get("download") ?? "")));
    } else if (attribute === "data-configuration") {
      this.addScript(value);
    } else if (!namesOfFiles.has(attribute)) {
      this.#note(value, likeness > leastLikeness(attribute) ? likeness : 0);
    }
  }

  #noteDownload(link: string, likeness: number): void {
    this.#note(link, likeness === 0 ? 0 : likeness + 4);
  }

  #note(value: string, score: number): void {
    const link = value.trim();
    if (score === 0 || !isFetchable(link)) {
      return;
    }
    this.#scores.set(link, Math.max(score, this.#scores.get(link) ?? 0));
    if (this.#scores.size > maxCandidates) {
      const best = [...this.#scores].sort(([, a], [, b]) => b - a).slice(0, maxPageLinks);
      this.#scores.clear();
      for (const [kept, keptScore] of best) {
        this.#scores.set(kept, keptScore);
      }
    }
  }

  #resolved(link: string): string | undefined {
    const base = this.#base === undefined ? undefined : urlOf(this.#base, somePage);
    const url = base === undefined ? undefined : urlOf(link, base.href);
    if (url === undefined) {
      return link;
    }
    const resolved = url.origin === new URL(somePage).origin ? `${url.pathname}${url.search}` : url.href;
    return isFetchable(resolved) ? resolved : undefined;
  }
}

/** A link needs the name of an API document or more, any other attribute its kind of file as well. */
const leastLikeness = (attribute: string): number => (attribute === "href" || attribute === "src" ? 1 : 3);

/** The name that a file is to have tells of the link beside it and is none itself. */
const namesOfFiles: ReadonlySet<string> = new Set(["download", "alt", "title"]);

const somePage = "http://page.invalid/";

const urlOf = (link: string, base: string): URL | undefined =>
  URL.canParse(link, base) ? new URL(link, base) : undefined;

/** Control characters and blanks are refused, not removed: a scheme could be hidden with them. */
const isFetchable = (link: string): boolean => {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (link === "" || link.length > maxLinkLength || link.startsWith("#") || /[\u0000- \u007f-\u00a0\\]/.test(link)) {
    return false;
  }
  const url = urlOf(link, somePage);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
};

/** How much an address looks like one of an OpenAPI document: 5 at most, 0 not at all, 1 for a mere kind of file. */
const likenessOf = (address: string): number => {
  const path = address
    .slice(0, maxLinkLength)
    .replace(/[?#].*$/s, "")
    .toLowerCase();
  const isNamed = /openapi|swagger|api-docs|apispec|api-spec/.test(path);
  const isOfKind = /\.(?:json|ya?ml)$/.test(path);
  const isPartOfViewer = /\.(?:js|mjs|css|map|png|svg|ico|html?)$/.test(path);
  if (isPartOfViewer) {
    return 0;
  }
  return (isNamed ? 3 : 0) + (isOfKind ? (isNamed ? 2 : 1) : 0);
};
