import { documentFailure } from "./document-error.ts";
import type { DocumentResult } from "./document-error.ts";
import { runInDocumentWorker } from "./document-worker.ts";
import type { DeadlineOptions } from "./document-worker.ts";
import { externalReference } from "./external-reference.ts";
import { isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/**
 * A copy of `document` whose references all lead into itself and exist. Reads no file and asks no server: a reference
 * out of the document fails as `external-reference`, one that leads nowhere as `unresolved-reference`. Fails also as
 * `cannot-bundle`, `too-expensive` or `deadline-exceeded`.
 */
export const bundleOpenApi = async (
  document: JsonObject,
  options: DeadlineOptions = {},
): Promise<DocumentResult<JsonObject>> => {
  const external = externalReference(document);
  if (external !== undefined) {
    const { pointer, target } = external;
    return documentFailure(
      "external-reference",
      `\`${pointer.slice(-200)}\` refers to \`${target.slice(0, 200)}\`, outside the OpenAPI document; bundle it first`,
    );
  }
  const result = await runInDocumentWorker("bundle", document, options);
  if (!result.ok) {
    return result;
  }
  return isJsonObject(result.value)
    ? { ok: true, value: result.value }
    : documentFailure("cannot-bundle", "bundling gave no OpenAPI document");
};
