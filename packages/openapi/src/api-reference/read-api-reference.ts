import { documentFailure } from "../document-error.ts";
import type { DocumentResult } from "../document-error.ts";
import { isJsonObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import {
  maxDocumentBytes,
  parseOpenApiDocument,
  checkVersion,
  maxDocumentDepth,
  parseOpenApiText,
} from "../parse-open-api-document.ts";
import { htmlTags } from "./html-tags.ts";
import { PageLinks } from "./page-links.ts";
import { nestsDeeperThan } from "@assay/reading";

const maxValues = 5_000;
const maxTexts = 3;

/**
 * Finds the OpenAPI document in the JSON of a script or a setting: the whole value, a member, or text in a member. Returns undefined if it
 * is not among the first 5,000 values.
 */
const inlineDocument = (text: string): JsonObject | undefined => {
  if (!/^\s*[{[]/.test(text) || !text.includes("openapi") || nestsDeeperThan(text, maxDocumentDepth)) {
    return undefined;
  }
  let textsLeft = maxTexts;
  for (const value of iterateValues(tryParse(text))) {
    const isText = typeof value === "string" && textsLeft > 0 && mayBeDocument(value);
    textsLeft -= isText ? 1 : 0;
    const result = isText ? parseOpenApiText(value) : checkVersion(value);
    if (result.ok) {
      return result.value;
    }
  }
  return undefined;
};

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Yields values breadth-first, so that a document is found before its parts. */
function* iterateValues(value: unknown): Generator {
  const pending: unknown[] = [value];
  for (let index = 0; index < Math.min(pending.length, maxValues); index += 1) {
    const next = pending[index];
    yield next;
    const children: readonly unknown[] = isJsonObject(next) ? Object.values(next) : Array.isArray(next) ? next : [];
    pending.push(...children.slice(0, maxValues));
  }
}

const mayBeDocument = (text: string): boolean => /openapi["']?\s{0,5}:/.test(text.slice(0, 500));

/** The contents of an instance's API reference URL. */
export type ApiReference =
  | { readonly kind: "document"; readonly document: JsonObject }
  /** One to ten possible URLs of the document, best first, verbatim: relative, http or https. The caller must reject a different origin. */
  | { readonly kind: "page"; readonly links: readonly string[] };

/**
 * Classifies a fetched page: an OpenAPI document (JSON or YAML), a page that contains one, or a page with links to one. The content
 * decides, because servers send wrong content types. Does not fetch anything. Fails like `parseOpenApiDocument`, and with `html` for a page
 * without links.
 */
export const readApiReference = (bytes: Uint8Array, contentType: string | undefined): DocumentResult<ApiReference> => {
  if (bytes.byteLength > maxDocumentBytes) {
    return documentFailure("too-large", `the page has more than ${maxDocumentBytes} bytes and was not read`);
  }
  const start = new TextDecoder().decode(bytes.subarray(0, 1024));
  if (/^\s*</.test(start)) {
    return readPage(bytes);
  }
  const result = parseOpenApiDocument(bytes);
  if (result.ok) {
    return { ok: true, value: { kind: "document", document: result.value } };
  }
  const page = /html/i.test(contentType ?? "") ? readPage(bytes) : result;
  return page.ok ? page : result;
};

/** Maximum number of texts in a page that are parsed as JSON. */
const maxInlineTexts = 100;

const readPage = (bytes: Uint8Array): DocumentResult<ApiReference> => {
  const links = new PageLinks();
  let textsLeft = maxInlineTexts;
  // Pages may have any encoding, but everything relevant is ASCII.
  for (const tag of htmlTags(new TextDecoder().decode(bytes))) {
    const texts = [tag.text, tag.attributes.get("data-configuration") ?? ""].filter((text) => text !== "");
    const document = textsLeft > 0 ? texts.map(inlineDocument).find((candidate) => candidate !== undefined) : undefined;
    textsLeft -= texts.length;
    if (document !== undefined) {
      return { ok: true, value: { kind: "document", document } };
    }
    links.add(tag);
  }
  const foundLinks = links.list();
  return foundLinks.length > 0
    ? { ok: true, value: { kind: "page", links: foundLinks } }
    : documentFailure(
        "html",
        "the page does not link to an OpenAPI document; it may be a login page or be built by scripts",
      );
};
