import { htmlTags } from "./html-tags.ts";
import type { HtmlTag } from "./html-tags.ts";

/** Tags with unknown effect: the targets of a script, an embedded page or a sign-in are not visible in the page. */
const opaqueTags: ReadonlySet<string> = new Set(["script", "iframe", "frame", "object", "embed", "base"]);

/** Kinds of `link` that never point to a document. */
const ignoredLinkKinds: ReadonlySet<string> = new Set([
  "stylesheet",
  "icon",
  "shortcut icon",
  "preconnect",
  "canonical",
]);

/**
 * Reports whether a page may lead to an OpenAPI document in ways other than `links`: a script, an embedded page, a form, a sign-in or
 * another URL. If false, the page offers only these links. Only for pages.
 */
export const mayLeadElsewhere = (bytes: Uint8Array, links: readonly string[]): boolean => {
  for (const tag of htmlTags(new TextDecoder().decode(bytes))) {
    if (isOpaque(tag) || leadsElsewhere(tag, links)) {
      return true;
    }
  }
  return false;
};

const isOpaque = (tag: HtmlTag): boolean =>
  opaqueTags.has(tag.name) ||
  tag.name.includes("-") ||
  isInputOrRedirect(tag) ||
  [...tag.attributes.keys()].some((attribute) => attribute.startsWith("on"));

/** Reports whether a tag is for input or redirects. */
const isInputOrRedirect = ({ name, attributes }: HtmlTag): boolean => {
  const getLowerCase = (attribute: string): string | undefined => attributes.get(attribute)?.toLowerCase();
  switch (name) {
    case "meta":
      return getLowerCase("http-equiv") === "refresh";
    case "input":
      return getLowerCase("type") === "password";
    default:
      return name === "form" && getLowerCase("method") !== "post";
  }
};

const leadsElsewhere = ({ name, attributes }: HtmlTag, links: readonly string[]): boolean => {
  const href = attributes.get("href")?.trim() ?? "";
  const isIgnoredLink = name === "link" && ignoredLinkKinds.has(attributes.get("rel")?.toLowerCase() ?? "");
  return href !== "" && !href.startsWith("#") && !isIgnoredLink && !links.includes(href);
};
