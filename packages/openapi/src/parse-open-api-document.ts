import { documentFailure } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { nestsDeeperThan } from "@assay/reading";
import { maxYamlBytes, readYaml } from "./read-yaml.ts";

/** Maximum size of a document in bytes. */
export const maxDocumentBytes = 16 * 1024 * 1024;

/** Maximum nesting of arrays and objects in a document. */
export const maxDocumentDepth = 256;

/**
 * Parses the bytes of an OpenAPI document: JSON or YAML (at most 4 MiB) of version 3.0, 3.1 or 3.2. Does not follow references. YAML is
 * parsed in a thread, which blocks the caller for up to ten seconds. Fails with `too-large`, `not-utf-8`, `html`, `not-json`, `not-yaml`,
 * `too-deep`, `deadline-exceeded`, `not-open-api` or `unsupported-version`. Checks the size first, and the nesting of JSON before parsing
 * it.
 */
export const parseOpenApiDocument = (bytes: Uint8Array): DocumentResult<JsonObject> => {
  if (bytes.byteLength > maxDocumentBytes) {
    return documentFailure(
      "too-large",
      `the OpenAPI document has more than ${maxDocumentBytes} bytes; give a smaller one`,
    );
  }
  const text = decode(bytes);
  return text === undefined
    ? documentFailure("not-utf-8", "the OpenAPI document is not UTF-8 text; check the address or the file")
    : parseOpenApiText(text);
};

/** Like `parseOpenApiDocument`, for text whose size was already checked. */
export const parseOpenApiText = (text: string): DocumentResult<JsonObject> => {
  if (/^\s*[{[]/.test(text)) {
    return parseJson(text);
  }
  return !/^\s*</.test(text) && looksLikeYaml(text) ? parseYaml(text) : rejectOtherText(text);
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
    return documentFailure("too-deep", `the OpenAPI document is nested deeper than ${maxDocumentDepth} levels`);
  }
  try {
    const document: unknown = JSON.parse(text);
    return checkVersion(document);
  } catch {
    return documentFailure("not-json", "the OpenAPI document is not valid JSON; check that it is complete");
  }
};

/** Reports whether text looks like a YAML OpenAPI document. Other YAML is reported as invalid JSON, which is cheaper than parsing it. */
const looksLikeYaml = (text: string): boolean =>
  /^(---|%YAML)/.test(text.slice(0, 4096).trimStart()) || /^["']?(openapi|swagger)["']?[ \t]*:/m.test(text);

const parseYaml = (text: string): DocumentResult<JsonObject> => {
  if (new TextEncoder().encode(text).byteLength > maxYamlBytes) {
    return documentFailure(
      "too-large",
      `the OpenAPI document is more than ${maxYamlBytes} bytes of YAML; give it as JSON`,
    );
  }
  const result = readYaml(text, { maxDepth: maxDocumentDepth, maxCharacters: maxDocumentBytes });
  return result.ok ? checkVersion(result.value) : result;
};

/** Checks that a value is an OpenAPI document of a supported version. Fails with `not-open-api` or `unsupported-version`. */
export const checkVersion = (document: unknown): DocumentResult<JsonObject> => {
  if (!isJsonObject(document)) {
    return documentFailure("not-open-api", "the OpenAPI document is not a JSON object");
  }
  if (typeof ownMember(document, "swagger") === "string") {
    return documentFailure("unsupported-version", "the document is Swagger 2; use OpenAPI 3.1");
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

const rejectOtherText = (text: string): DocumentResult<never> => {
  const start = text.slice(0, 4096);
  if (/^\s*<(!doctype|html|\?xml|!--)/i.test(start)) {
    return documentFailure(
      "html",
      "the response is an HTML or XML page instead of an OpenAPI document; a proxy may ask for a login",
    );
  }
  return documentFailure("not-json", "the OpenAPI document is neither JSON nor YAML; check the address or the file");
};
