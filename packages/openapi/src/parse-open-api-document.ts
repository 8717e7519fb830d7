import { documentFailure } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { nestsDeeperThan } from "./nesting-depth.ts";

/** Largest document that is read, in bytes. */
export const maxDocumentBytes = 16 * 1024 * 1024;

/** Deepest nesting of arrays and objects that is read in a document. */
export const maxDocumentDepth = 256;

/**
 * Reads the bytes of an OpenAPI document, which has to be JSON and of version 3.0, 3.1 or 3.2. Nothing it refers to is
 * looked at. Fails as `too-large`, `not-utf-8`, `html`, `yaml`, `not-json`, `too-deep`, `not-open-api` or
 * `unsupported-version`; the size is checked before anything else, the nesting before anything is parsed.
 */
export const parseOpenApiDocument = (bytes: Uint8Array): DocumentResult<JsonObject> => {
  if (bytes.byteLength > maxDocumentBytes) {
    return documentFailure(
      "too-large",
      `the OpenAPI document has more than ${maxDocumentBytes} bytes; give a smaller one`,
    );
  }
  const text = decode(bytes);
  if (text === undefined) {
    return documentFailure("not-utf-8", "the OpenAPI document is not UTF-8 text; check the address or the file");
  }
  if (/^\s*[{[]/.test(text)) {
    return parseJson(text);
  }
  return refuseOtherText(text);
};

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const parseJson = (text: string): DocumentResult<JsonObject> => {
  if (nestsDeeperThan(text, maxDocumentDepth)) {
    return documentFailure("too-deep", `the OpenAPI document nests deeper than ${maxDocumentDepth} levels`);
  }
  try {
    const document: unknown = JSON.parse(text);
    return checkVersion(document);
  } catch {
    return documentFailure("not-json", "the OpenAPI document is not valid JSON; check that it is complete");
  }
};

const checkVersion = (document: unknown): DocumentResult<JsonObject> => {
  if (!isJsonObject(document)) {
    return documentFailure("not-open-api", "the OpenAPI document is not a JSON object");
  }
  if (typeof ownMember(document, "swagger") === "string") {
    return documentFailure("unsupported-version", "the document is of Swagger 2; give one of OpenAPI 3.1");
  }
  const version = ownMember(document, "openapi");
  if (typeof version !== "string") {
    return documentFailure("not-open-api", "the document has no member `openapi` with a version; is it OpenAPI?");
  }
  if (!/^3\.[012]\.\d{1,4}(-.*)?$/.test(version)) {
    return documentFailure("unsupported-version", "the document's version of OpenAPI is not 3.0, 3.1 or 3.2");
  }
  return { ok: true, value: document };
};

const refuseOtherText = (text: string): DocumentResult<never> => {
  const start = text.slice(0, 4096);
  if (/^\s*<(!doctype|html|\?xml|!--)/i.test(start)) {
    return documentFailure(
      "html",
      "an HTML or XML page came instead of an OpenAPI document; a proxy may ask for a login",
    );
  }
  if (/^(---|%YAML|#|["']?(openapi|swagger|info|paths)["']?\s*:)/m.test(start)) {
    return documentFailure("yaml", "the OpenAPI document is YAML, which is not read yet; convert it to JSON");
  }
  return documentFailure("not-json", "the OpenAPI document is not JSON; check the address or the file");
};
