import type { Validator } from "../compile-validators.ts";
import { DocumentError } from "../document-error.ts";
import { ownMember } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import type { SchemaError } from "../schema-error.ts";
import type { ApiOperation, ApiRequest } from "./api-description.ts";
import { maxNameLength } from "./find-operations.ts";
import type { FoundOperation } from "./find-operations.ts";
import { contentFor, isJsonMediaType, plainMediaType } from "./media-types.ts";
import { describedStatus } from "./operation-parts.ts";
import type { OperationParts } from "./operation-parts.ts";
import { queryParameterErrors } from "./query-parameter.ts";

/** What an operation is described from. */
export interface OperationSource {
  /** As `legacy/create`, for notes. */
  readonly label: string;
  readonly found: FoundOperation;
  readonly parts: OperationParts;
  /** By schema. */
  readonly forRequests: ReadonlyMap<unknown, Validator>;
  readonly forResponses: ReadonlyMap<unknown, Validator>;
  readonly onNote: (note: string) => void;
}

/** Puts the validators of an operation behind the questions that are asked of it. Answers never throw. */
export const describedOperation = (source: OperationSource): ApiOperation => {
  const { found, parts } = source;
  const operationId = ownMember(found.operation, "operationId");
  return {
    path: found.path.slice(0, maxNameLength),
    method: found.method,
    ...(typeof operationId === "string" ? { operationId: operationId.slice(0, maxNameLength) } : {}),
    statuses: [...parts.responses.keys()],
    requestErrors: (request) => within(source, "request", () => requestErrors(source, request)) ?? [],
    responseErrors: (status, contentType, json) =>
      within(source, `response ${status}`, () => responseErrors(source, { status, contentType, json })),
  };
};

/** Turns a value that is beyond the limits into no answer, and a note. */
const within = <T>({ label, onNote }: OperationSource, what: string, work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (error instanceof DocumentError) {
      onNote(`A value could not be judged by the ${what} of ${label} (${error.message.slice(0, 300)}).`);
      return undefined;
    }
    throw error;
  }
};

const requestErrors = (
  { parts, forRequests }: OperationSource,
  { json, query }: ApiRequest,
): readonly SchemaError[] => [
  ...parts.parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap((parameter) =>
      queryParameterErrors(parameter, query.get(parameter.name), forRequests.get(parameter.schema)),
    ),
  ...bodyErrors(parts.requestBody, json, forRequests),
];

const bodyErrors = (
  body: OperationParts["requestBody"],
  json: unknown,
  forRequests: ReadonlyMap<unknown, Validator>,
): readonly SchemaError[] => {
  if (json === undefined) {
    return body?.required === true ? [{ pointer: "", message: "must have a body of JSON", keyword: "required" }] : [];
  }
  return forRequests.get(body?.schema)?.errors(json) ?? [];
};

interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly json: unknown;
}

const responseErrors = (
  { parts, forResponses }: OperationSource,
  { status, contentType, json }: Answer,
): readonly SchemaError[] | undefined => {
  const described = describedStatus(new Set(parts.responses.keys()), status);
  const content = described === undefined ? undefined : parts.responses.get(described);
  if (content === undefined) {
    return undefined;
  }
  if (contentType === undefined || contentType.trim() === "") {
    return permitsNothing(content) ? [] : undefined;
  }
  const mediaType = plainMediaType(contentType);
  const entry = contentFor(content, mediaType);
  if (entry === undefined) {
    return undefined;
  }
  const schema = ownMember(entry, "schema");
  return schema === undefined || !isJsonMediaType(mediaType) ? [] : forResponses.get(schema)?.errors(json);
};

/** Whether an answer without a body and its type is described. */
const permitsNothing = (content: JsonObject): boolean =>
  Object.keys(content).length === 0 || Object.hasOwn(content, "*/*");
