import { currentOpenApi, legacyOpenApi, searchStreamOpenApi } from "@assay/contract";
import { compareApis } from "../differences/api-differences.ts";
import type { DocumentResult } from "../document-error.ts";
import type { JsonObject } from "../json-object.ts";
import { findStrayReference } from "../stray-reference.ts";
import { validateOpenApiDocument } from "../validate-open-api-document.ts";
import type { DeadlineOptions } from "../validate-open-api-document.ts";
import type { ApiDescription, DescribedInterface } from "./api-description.ts";
import { describeDocument } from "./describe-document.ts";
import type { DocumentDescription } from "./describe-document.ts";

/** Our documents, one per interface. */
export const ownDocuments: readonly JsonObject[] = [searchStreamOpenApi, legacyOpenApi, currentOpenApi];

/**
 * Describes the tested interfaces of a foreign OpenAPI document, and its differences from ours (except for the source `pinned`). The
 * document must contain everything it refers to. Its structure is checked in a thread with a deadline, and patterns run in linear time.
 * Fails like `findStrayReference` and `validateOpenApiDocument`, except that an invalid document, or a schema that cannot be compiled, only
 * disables the checks that need it and adds a note.
 */
export const describeApi = async (
  document: JsonObject,
  source: "served" | "pinned",
  options: DeadlineOptions = {},
): Promise<DocumentResult<ApiDescription>> => {
  const stray = findStrayReference(document);
  if (stray !== undefined) {
    return { ok: false, error: stray };
  }
  const validation = validateOpenApiDocument(document, options);
  // Runs while the thread starts and checks the structure. Compiling is bounded for any structure.
  const described = describeDocument(document, "foreign");
  const validated = await validation;
  if (!validated.ok && validated.error.code !== "not-valid") {
    return validated;
  }
  const comparison = source === "served" ? compareApis(document, ownDocuments) : { differences: [], notes: [] };
  for (const note of [...listFormNotes(validated), ...comparison.notes]) {
    described.onNote(note);
  }
  return { ok: true, value: apiDescription(source, described, comparison.differences) };
};

/**
 * Converts the result of validation to notes. An invalid document is used as far as possible: its description of the interfaces may be
 * valid.
 */
const listFormNotes = (validated: DocumentResult<{ readonly notes: readonly string[] }>): readonly string[] =>
  validated.ok ? validated.value.notes : [`The form of the OpenAPI document is wrong (${validated.error.message}).`];

let pinned: ApiDescription | undefined;

/**
 * Returns our description of the interfaces, for targets without a document. Compiled on the first call, in some tens of milliseconds, and
 * cached. Source: search-stream, sections 2 and 4; conversation-api, sections 2 to 7.
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
