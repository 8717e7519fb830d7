import { ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { dereference } from "./dereference.ts";
import type { FoundOperation } from "./find-operations.ts";
import { jsonContent } from "./media-types.ts";

/** A parameter with its reference resolved. */
export interface OperationParameter {
  readonly name: string;
  readonly in: string;
  readonly parameter: JsonObject;
  /** Undefined without one. */
  readonly schema: unknown;
}

/** The parts of an operation with their references resolved. Schemas are unchanged. */
export interface OperationParts {
  readonly parameters: readonly OperationParameter[];
  readonly requestBody: { readonly required: boolean; readonly schema: unknown } | undefined;
  /** Content by status, in upper case except for `default`. */
  readonly responses: ReadonlyMap<string, JsonObject>;
}

/** Above the numbers in real documents. The rest is omitted, to bound the work. */
const maxParameters = 300;
const maxMediaTypes = 50;

/** Splits an operation into parts. Omits malformed parts, and everything beyond 300 parameters or 50 media types. */
export const operationParts = (document: JsonObject, found: FoundOperation): OperationParts => ({
  parameters: parametersOf(document, found),
  requestBody: requestBodyOf(document, found.operation),
  responses: responsesOf(document, found.operation),
});

/** Parameters of the operation override those of the path with the same name and place. */
const parametersOf = (document: JsonObject, { operation, pathItem }: FoundOperation): readonly OperationParameter[] => {
  const listed = [pathItem, operation].flatMap((holder) => {
    const list = ownMember(holder, "parameters");
    return Array.isArray(list) ? list.slice(0, maxParameters) : [];
  });
  const parameters = new Map<string, OperationParameter>();
  for (const value of listed) {
    const parameter = dereference(document, value);
    const name = parameter === undefined ? undefined : ownMember(parameter, "name");
    if (parameter !== undefined && typeof name === "string") {
      const place = String(ownMember(parameter, "in"));
      parameters.set(`${place} ${name}`, { name, in: place, parameter, schema: schemaOfParameter(parameter) });
    }
  }
  return [...parameters.values()];
};

const schemaOfParameter = (parameter: JsonObject): unknown =>
  ownMember(parameter, "schema") ?? ownMember(jsonContent(contentOf(parameter)) ?? {}, "schema");

const requestBodyOf = (document: JsonObject, operation: JsonObject): OperationParts["requestBody"] => {
  const body = dereference(document, ownMember(operation, "requestBody"));
  if (body === undefined) {
    return undefined;
  }
  const content = jsonContent(contentOf(body));
  return {
    required: ownMember(body, "required") === true,
    schema: content === undefined ? undefined : ownMember(content, "schema"),
  };
};

const responsesOf = (document: JsonObject, operation: JsonObject): ReadonlyMap<string, JsonObject> => {
  const responses = new Map<string, JsonObject>();
  for (const [status, value] of Object.entries(ownObject(operation, "responses"))) {
    const response = dereference(document, value);
    if (response !== undefined && /^(?:\d{3}|\dxx|default)$/i.test(status)) {
      responses.set(status.toLowerCase() === "default" ? "default" : status.toUpperCase(), contentOf(response));
    }
  }
  return responses;
};

const contentOf = (holder: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(ownObject(holder, "content")).slice(0, maxMediaTypes));

/** The status as described: itself, else its range, else `default`; undefined if not described. */
export const describedStatus = (statuses: ReadonlySet<string>, status: number): string | undefined =>
  [String(status), `${Math.floor(status / 100)}XX`, "default"].find((described) => statuses.has(described));
