import { htmlTags } from "./html-tags.ts";
import type { HtmlTag } from "./html-tags.ts";

/** Tags behind which there may be anything: what a script, another page or a sign-in leads to is not seen in the page. */
const closedBooks: ReadonlySet<string> = new Set(["script", "iframe", "frame", "object", "embed", "base"]);

/** Kinds of `link` that lead to no document. */
const furniture: ReadonlySet<string> = new Set(["stylesheet", "icon", "shortcut icon", "preconnect", "canonical"]);

/**
 * Whether something in a page may lead to an OpenAPI document besides `links`: a script, another page inside it, a form, a
 * sign-in, or an address that none of them is. A page of which this is false offers those and nothing else. Not for what is
 * no page.
 */
export const mayLeadElsewhere = (bytes: Uint8Array, links: readonly string[]): boolean => {
  for (const tag of htmlTags(new TextDecoder().decode(bytes))) {
    if (isClosed(tag) || leadsElsewhere(tag, links)) {
      return true;
    }
  }
  return false;
};

const isClosed = (tag: HtmlTag): boolean =>
  closedBooks.has(tag.name) ||
  tag.name.includes("-") ||
  isAsking(tag) ||
  [...tag.attributes.keys()].some((attribute) => attribute.startsWith("on"));

/** Whether something is asked for, or the page moves on by itself. */
const isAsking = ({ name, attributes }: HtmlTag): boolean => {
  const valueOf = (attribute: string): string | undefined => attributes.get(attribute)?.toLowerCase();
  switch (name) {
    case "meta":
      return valueOf("http-equiv") === "refresh";
    case "input":
      return valueOf("type") === "password";
    default:
      return name === "form" && valueOf("method") !== "post";
  }
};

const leadsElsewhere = ({ name, attributes }: HtmlTag, links: readonly string[]): boolean => {
  const href = attributes.get("href")?.trim() ?? "";
  const isFurniture = name === "link" && furniture.has(attributes.get("rel")?.toLowerCase() ?? "");
  return href !== "" && !href.startsWith("#") && !isFurniture && !links.includes(href);
};
