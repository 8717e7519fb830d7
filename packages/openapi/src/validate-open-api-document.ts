import type { DocumentResult } from "./document-error.ts";
import { runInDocumentWorker } from "./document-worker.ts";
import type { DeadlineOptions } from "./document-worker.ts";
import { ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

interface DocumentValidation {
  /** What could not be checked, one sentence each; empty when everything was. */
  readonly notes: readonly string[];
}

/**
 * Checks a document, with its references in place, against the meta-schema of OpenAPI 3.1. Schemas inside it are only
 * checked to be schemas at all; compiling them finds the rest. For versions 3.0 and 3.2 nothing is checked and a note
 * says so. Fails as `not-valid`, `too-expensive` or `deadline-exceeded`.
 */
export const validateOpenApiDocument = async (
  document: JsonObject,
  options: DeadlineOptions = {},
): Promise<DocumentResult<DocumentValidation>> => {
  const version = String(ownMember(document, "openapi"));
  if (!version.startsWith("3.1.")) {
    return {
      ok: true,
      value: { notes: ["The OpenAPI document is not of version 3.1, so that its form was not checked."] },
    };
  }
  const result = await runInDocumentWorker("validate", document, options);
  return result.ok ? { ok: true, value: { notes: [] } } : result;
};
