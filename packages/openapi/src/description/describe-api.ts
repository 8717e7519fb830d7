import { currentOpenApi, legacyOpenApi, searchStreamOpenApi } from "@assay/contract";
import { apiDifferences } from "../differences/api-differences.ts";
import type { DocumentResult } from "../document-error.ts";
import type { JsonObject } from "../json-object.ts";
import { strayReference } from "../stray-reference.ts";
import { validateOpenApiDocument } from "../validate-open-api-document.ts";
import type { DeadlineOptions } from "../validate-open-api-document.ts";
import type { ApiDescription, DescribedInterface } from "./api-description.ts";
import { describeDocument } from "./describe-document.ts";
import type { DocumentDescription } from "./describe-document.ts";

/** The project's own documents, one for each interface. */
export const ownDocuments: readonly JsonObject[] = [searchStreamOpenApi, legacyOpenApi, currentOpenApi];

/**
 * What an OpenAPI document says about the tested interfaces, and how it differs from the project's own documents (not for
 * the source `pinned`). The document is a stranger's: it has to hold everything it refers to, its form is looked at in a
 * thread with a deadline, and its schemas are held to linear time. Fails as `strayReference` and `validateOpenApiDocument` say, but for a document that is not
 * valid: that, and a schema that cannot be compiled, only costs the checks that need it, and a note.
 */
export const describeApi = async (
  document: JsonObject,
  source: "served" | "pinned",
  options: DeadlineOptions = {},
): Promise<DocumentResult<ApiDescription>> => {
  const stray = strayReference(document);
  if (stray !== undefined) {
    return { ok: false, error: stray };
  }
  const validation = validateOpenApiDocument(document, options);
  // While the thread starts and looks at the form: what is compiled is bounded whatever the form is.
  const described = describeDocument(document, "foreign");
  const validated = await validation;
  if (!validated.ok && validated.error.code !== "not-valid") {
    return validated;
  }
  const comparison = source === "served" ? apiDifferences(document, ownDocuments) : { differences: [], notes: [] };
  for (const note of [...formNotes(validated), ...comparison.notes]) {
    described.onNote(note);
  }
  return { ok: true, value: apiDescription(source, described, comparison.differences) };
};

/** A document that departs from OpenAPI is used as far as it goes: what it says about the interfaces may be fine. */
const formNotes = (validated: DocumentResult<{ readonly notes: readonly string[] }>): readonly string[] =>
  validated.ok ? validated.value.notes : [`The form of the OpenAPI document is wrong (${validated.error.message}).`];

let pinned: ApiDescription | undefined;

/**
 * What the project's own documents say about the interfaces: judges targets that serve no document. Compiled at the first
 * call, in some tens of milliseconds, and kept. Source: search-stream, sections 2 and 4; conversation-api, sections 2 to 7.
 */
export const pinnedApi = (): ApiDescription => {
  pinned ??= describePinned();
  return pinned;
};

const describePinned = (): ApiDescription => {
  const described = ownDocuments.map((document) => describeDocument(document, "own"));
  return apiDescription("pinned", {
    notes: described.flatMap(({ notes }) => notes),
    operations: described.flatMap(({ operations }) => operations),
    otherOperations: described.flatMap(({ otherOperations }) => otherOperations),
  });
};

const apiDescription = (
  source: "served" | "pinned",
  { notes, operations, otherOperations }: Omit<DocumentDescription, "onNote">,
  differences: ApiDescription["differences"] = [],
): ApiDescription => {
  const byLabel = new Map(operations.map((operation) => [label(operation.interface, operation.operation), operation]));
  return {
    source,
    notes,
    operations,
    otherOperations,
    differences,
    operation: (name, operation) => byLabel.get(label(name, operation)),
  };
};

const label = (name: DescribedInterface, operation: string): string => `${name}/${operation}`;
