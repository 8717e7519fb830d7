import { ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { dereference } from "./dereference.ts";
import type { LocatedOperation } from "./find-operations.ts";
import { findJsonContent } from "./media-types.ts";

/** A parameter with its reference resolved. */
export interface OperationParameter {
  readonly name: string;
  readonly in: string;
  readonly parameter: JsonObject;
  /** Undefined if there is no schema. */
  readonly schema: unknown;
}

/** The parts of an operation with their references resolved. Schemas are unchanged. */
export interface OperationParts {
  readonly parameters: readonly OperationParameter[];
  readonly requestBody: { readonly required: boolean; readonly schema: unknown } | undefined;
  /** Content by status, in upper case except for `default`. */
  readonly responses: ReadonlyMap<string, JsonObject>;
}

/** Larger than in real documents. Further ones are omitted to bound the work. */
const maxParameters = 300;
const maxMediaTypes = 50;

/** Splits an operation into parts. Omits malformed parts, and everything beyond 300 parameters or 50 media types. */
export const readOperationParts = (document: JsonObject, found: LocatedOperation): OperationParts => ({
  parameters: readParameters(document, found),
  requestBody: readRequestBody(document, found.operation),
  responses: readResponses(document, found.operation),
});

/** Returns the parameters of an operation. They override path parameters with the same name and location. */
const readParameters = (
  document: JsonObject,
  { operation, pathItem }: LocatedOperation,
): readonly OperationParameter[] => {
  const parameterValues = [pathItem, operation].flatMap((holder) => {
    const list = ownMember(holder, "parameters");
    return Array.isArray(list) ? list.slice(0, maxParameters) : [];
  });
  const parameters = new Map<string, OperationParameter>();
  for (const value of parameterValues) {
    const parameter = dereference(document, value);
    const name = parameter === undefined ? undefined : ownMember(parameter, "name");
    if (parameter !== undefined && typeof name === "string") {
      const place = String(ownMember(parameter, "in"));
      parameters.set(`${place} ${name}`, { name, in: place, parameter, schema: parameterSchema(parameter) });
    }
  }
  return [...parameters.values()];
};

const parameterSchema = (parameter: JsonObject): unknown =>
  ownMember(parameter, "schema") ?? ownMember(findJsonContent(readContent(parameter)) ?? {}, "schema");

const readRequestBody = (document: JsonObject, operation: JsonObject): OperationParts["requestBody"] => {
  const body = dereference(document, ownMember(operation, "requestBody"));
  if (body === undefined) {
    return undefined;
  }
  const content = findJsonContent(readContent(body));
  return {
    required: ownMember(body, "required") === true,
    schema: content === undefined ? undefined : ownMember(content, "schema"),
  };
};

const readResponses = (document: JsonObject, operation: JsonObject): ReadonlyMap<string, JsonObject> => {
  const responses = new Map<string, JsonObject>();
  for (const [status, value] of Object.entries(ownObject(operation, "responses"))) {
    const response = dereference(document, value);
    if (response !== undefined && /^(?:\d{3}|\dxx|default)$/i.test(status)) {
      responses.set(status.toLowerCase() === "default" ? "default" : status.toUpperCase(), readContent(response));
    }
  }
  return responses;
};

const readContent = (holder: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(ownObject(holder, "content")).slice(0, maxMediaTypes));

/** Returns the described status: the status itself, otherwise its range, otherwise `default`. Returns undefined if it is not described. */
export const findDescribedStatus = (statuses: ReadonlySet<string>, status: number): string | undefined =>
  [String(status), `${Math.floor(status / 100)}XX`, "default"].find((described) => statuses.has(described));
