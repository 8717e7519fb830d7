import { isHarnessError } from "@assay/contract";
import { isJsonObject, ownMember } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import type { Validator } from "../validator.ts";
import type { SchemaError } from "../schema-error.ts";
import type { ApiDescription, ApiOperation, DescribedOperation } from "./api-description.ts";
import { compileSchemas } from "./compile-schemas.ts";
import { findOperations, maxNameLength, methodAndPath } from "./find-operations.ts";
import type { LocatedOperation } from "./find-operations.ts";
import { findContent, isJsonMediaType, plainMediaType } from "./media-types.ts";
import { findDescribedStatus, readOperationParts } from "./operation-parts.ts";
import type { OperationParts } from "./operation-parts.ts";
import type { OperationPlace } from "./operation-place.ts";
import { listSchemaMembers } from "./request-members.ts";

/** The source of a described operation. */
interface OperationSource {
  /** Label for notes, such as `legacy/create`. */
  readonly label: string;
  readonly located: LocatedOperation;
  readonly parts: OperationParts;
  readonly document: JsonObject;
  /** Validators by schema. */
  readonly validators: ReadonlyMap<unknown, Validator>;
  readonly onNote: (note: string) => void;
}

/** Describes an operation with its validators. A value that exceeds the limits has no result and gets a note. */
const describeOperation = (source: OperationSource): ApiOperation => {
  const { document, located, parts } = source;
  const operationId = ownMember(located.operation, "operationId");
  return {
    path: located.path.slice(0, maxNameLength),
    method: located.method,
    ...(typeof operationId === "string" ? { operationId: operationId.slice(0, maxNameLength) } : {}),
    requestMembers: listSchemaMembers(document, parts.requestBody?.schema),
    statuses: [...parts.responses.keys()],
    responseErrors: (status, contentType, json) => judgeWithNote(source, { status, contentType, json }).errors,
    reasonForNoVerdict: (status, contentType, json) => judgeWithNote(source, { status, contentType, json }).reason,
  };
};

/** The result of validating a response: errors, or the reason there is no result. Neither is set if the response is not described. */
interface Judgement {
  readonly errors?: readonly SchemaError[];
  /** One clause. */
  readonly reason?: string;
}

const judgeWithNote = (source: OperationSource, answer: Answer): Judgement => {
  const { errors, reason } = judgeWithinLimits(source, answer);
  if (reason === undefined) {
    return errors === undefined ? {} : { errors };
  }
  const place = `response ${answer.status} of ${source.label}`;
  source.onNote(`The ${place} could not be judged: ${reason}.`);
  return { reason: `the ${place} could not be judged: ${reason}` };
};

const judgeWithinLimits = (source: OperationSource, answer: Answer): Judgement => {
  try {
    return judge(source, answer);
  } catch (error) {
    if (isHarnessError(error)) {
      return { reason: `the value is beyond the limits (${error.message.slice(0, 300)})` };
    }
    throw error;
  }
};

interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly json: unknown;
}

const judge = ({ parts, validators }: OperationSource, { status, contentType, json }: Answer): Judgement => {
  const described = findDescribedStatus(new Set(parts.responses.keys()), status);
  const content = described === undefined ? undefined : parts.responses.get(described);
  if (content === undefined) {
    return {};
  }
  if (contentType === undefined || contentType.trim() === "") {
    return permitsEmptyBody(content) ? { errors: [] } : {};
  }
  const mediaType = plainMediaType(contentType);
  const entry = findContent(content, mediaType);
  if (entry === undefined) {
    return {};
  }
  const schema = ownMember(entry, "schema");
  return schema === undefined || !isJsonMediaType(mediaType)
    ? { errors: [] }
    : validateBySchema(validators.get(schema), json);
};

const validateBySchema = (validator: Validator | undefined, json: unknown): Judgement => {
  if (validator === undefined) {
    return { reason: "its schema cannot be compiled" };
  }
  const errors = validator.errors(json);
  const doubts = errors.length > 0 ? [] : validator.doubts(json);
  return doubts.length === 0
    ? { errors }
    : {
        reason: `the verdict depends on ${doubts.map((keyword) => `\`${keyword}\``).join(", ")}, which is unsupported or has two meanings`,
      };
};

/** Reports whether a response without a body and content type is described. */
const permitsEmptyBody = (content: JsonObject): boolean =>
  Object.keys(content).length === 0 || Object.hasOwn(content, "*/*");

/** Maximum number of other operations listed. */
const maxOtherOperations = 1_000;

/** Maximum number of notes of a description. */
const maxNotes = 100;

/** A description without comparison. */
export type DocumentDescription = Pick<ApiDescription, "notes" | "operations" | "otherOperations"> & {
  readonly onNote: (note: string) => void;
};

/**
 * Describes the tested interfaces of a document, which must contain everything it refers to. Does not throw: unusable parts are omitted
 * with a note. `own` trusts the document to be cheap.
 */
export const describeDocument = (document: JsonObject, trust: "own" | "foreign"): DocumentDescription => {
  const { notes, onNote } = createNoteCollector();
  const operations = findOperations(document);
  const named = namedOperations(document, operations, onNote);
  const schemas = new Map<unknown, string>();
  for (const operation of named) {
    collectSchemas(operation, schemas);
  }
  const validators = compileSchemas(document, schemas, { trust, onNote });
  return {
    notes,
    onNote,
    operations: named.map((operation): DescribedOperation => ({
      ...describeOperation({ ...operation, document, validators, onNote }),
      ...operation.place,
    })),
    otherOperations: otherOperations(operations, onNote),
  };
};

const createNoteCollector = (): { readonly notes: readonly string[]; readonly onNote: (note: string) => void } => {
  const notes: string[] = [];
  const onNote = (note: string): void => {
    if (notes.length < maxNotes && !notes.includes(note)) {
      notes.push(notes.length === maxNotes - 1 ? "There are more notes on the OpenAPI document." : note);
    }
  };
  return { notes, onNote };
};

interface NamedOperation {
  readonly label: string;
  readonly place: Required<OperationPlace>;
  readonly located: LocatedOperation;
  readonly parts: OperationParts;
}

const namedOperations = (
  document: JsonObject,
  operations: readonly LocatedOperation[],
  onNote: (note: string) => void,
): readonly NamedOperation[] => {
  const operationsByName = new Map<string, NamedOperation>();
  for (const located of operations) {
    const { place } = located;
    if (place?.operation === undefined) {
      continue;
    }
    const label = `${place.interface}/${place.operation}`;
    if (operationsByName.has(label)) {
      onNote(`The OpenAPI document describes ${label} more than once; the first description counts.`);
    } else {
      const parts = readOperationParts(document, located);
      operationsByName.set(label, {
        label,
        place: { interface: place.interface, operation: place.operation },
        located,
        parts,
      });
    }
  }
  return [...operationsByName.values()];
};

/** Adds the response schemas of an operation, each with a label for notes. */
const collectSchemas = ({ label, parts }: NamedOperation, labels: Map<unknown, string>): void => {
  for (const [status, content] of parts.responses) {
    for (const [mediaType, entry] of Object.entries(content)) {
      const plain = plainMediaType(mediaType);
      const schema = isJsonObject(entry) ? ownMember(entry, "schema") : undefined;
      if (schema !== undefined && (isJsonMediaType(plain) || plain.endsWith("/*")) && !labels.has(schema)) {
        labels.set(schema, `response ${status} of ${label}`);
      }
    }
  }
};

/** Lists the untested operations, including those of the interfaces without a known name. */
const otherOperations = (all: readonly LocatedOperation[], onNote: (note: string) => void): readonly string[] => {
  const unknownOperations = all.filter(({ place }) => place?.operation === undefined).map(methodAndPath);
  if (unknownOperations.length > maxOtherOperations) {
    onNote(`Lists ${maxOtherOperations} of ${unknownOperations.length} other operations of the OpenAPI document.`);
  }
  return unknownOperations.sort().slice(0, maxOtherOperations);
};
