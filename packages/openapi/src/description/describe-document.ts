import { isHarnessError } from "@assay/contract";
import { ownMember } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import type { Validator } from "../compile-validators.ts";
import type { SchemaError } from "../schema-error.ts";
import type { ApiDescription, ApiOperation, ApiRequest, DescribedOperation } from "./api-description.ts";
import { compileSchemas } from "./compile-schemas.ts";
import { findOperations, maxNameLength, methodAndPath } from "./find-operations.ts";
import type { FoundOperation } from "./find-operations.ts";
import { contentFor, isJsonMediaType, plainMediaType } from "./media-types.ts";
import { describedStatus, operationParts } from "./operation-parts.ts";
import type { OperationParameter, OperationParts } from "./operation-parts.ts";
import type { OperationPlace } from "./operation-place.ts";

/**
 * How the text of a query parameter departs from its schema. Text fits if one of the values fits that it can be read as:
 * itself, a number, true or false, null, a list of such, JSON. Pointers begin with `?` and the name.
 */
const queryParameterErrors = (
  { name, parameter }: OperationParameter,
  text: string | undefined,
  validator: Validator | undefined,
): readonly SchemaError[] => {
  if (isSpread(parameter)) {
    return [];
  }
  if (text === undefined) {
    return ownMember(parameter, "required") === true
      ? [{ pointer: `?${name}`, message: `must have the parameter \`${name}\``, keyword: "required" }]
      : [];
  }
  const mayBeEmpty = text === "" && ownMember(parameter, "allowEmptyValue") === true;
  return validator === undefined || mayBeEmpty
    ? []
    : textErrors(text, separatorOf(parameter), validator).map((error) => ({
        ...error,
        pointer: `?${name}${error.pointer}`,
      }));
};

const textErrors = (text: string, separator: string, validator: Validator): readonly SchemaError[] => {
  const found = readings(text, separator).map((value) => validator.errors(value));
  // Of several readings the one tells most that is at least of the right type.
  return found.find((errors) => errors.length === 0) ?? found.find(isOfType) ?? found.at(-1) ?? [];
};

/** Objects may be spread over parameters of any names. */
const isSpread = (parameter: Readonly<Record<string, unknown>>): boolean => {
  const schema = ownMember(parameter, "schema");
  const type = typeof schema === "object" && schema !== null ? Reflect.get(schema, "type") : undefined;
  return ownMember(parameter, "style") === "deepObject" || type === "object";
};

const isOfType = (errors: readonly SchemaError[]): boolean =>
  !errors.some(({ pointer, keyword }) => pointer === "" && keyword === "type");

const separatorOf = (parameter: Readonly<Record<string, unknown>>): string => {
  const style = ownMember(parameter, "style");
  return style === "pipeDelimited" ? "|" : style === "spaceDelimited" ? " " : ",";
};

const maxElements = 1_000;

/** Values that a text can stand for, itself last. */
const readings = (text: string, separator: string): readonly unknown[] => {
  const parts = text.split(separator, maxElements);
  const lists = [parts.map(plainValue), parts, [plainValue(text)], [text]];
  return [plainValue(text), ...lists, ...jsonValue(text), text];
};

const plainValue = (text: string): unknown => {
  if (/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/.test(text)) {
    return Number(text);
  }
  const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ["true", true],
    ["false", false],
    ["null", null],
  ]);
  return words.has(text) ? words.get(text) : text;
};

const jsonValue = (text: string): readonly unknown[] => {
  try {
    return /^[{[]/.test(text) && text.length < 10_000 ? [JSON.parse(text)] : [];
  } catch {
    return [];
  }
};

/** What an operation is described from. */
interface OperationSource {
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
const describedOperation = (source: OperationSource): ApiOperation => {
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
    if (isHarnessError(error)) {
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

/** Most operations outside the interfaces that are named. */
const maxOtherOperations = 1_000;

/** Most notes of a description. */
const maxNotes = 100;

/** Everything of a description that takes no comparison. */
export type DocumentDescription = Pick<ApiDescription, "notes" | "operations" | "otherOperations"> & {
  readonly onNote: (note: string) => void;
};

/**
 * What a document says about the tested interfaces. The document has to hold everything it refers to. Does not throw:
 * what cannot be used is left out, with a note. `own` trusts the document with time.
 */
export const describeDocument = (document: JsonObject, trust: "own" | "foreign"): DocumentDescription => {
  const { notes, onNote } = noteKeeper();
  const found = findOperations(document);
  const named = namedOperations(document, found, onNote);
  const schemas = { requests: new Map<unknown, string>(), responses: new Map<unknown, string>() };
  for (const { label, parts } of named) {
    collectSchemas(label, parts, schemas);
  }
  const options = { trust, onNote };
  const forRequests = compileSchemas(document, schemas.requests, { ...options, notRequired: "readOnly" });
  const forResponses = compileSchemas(document, schemas.responses, { ...options, notRequired: "writeOnly" });
  return {
    notes,
    onNote,
    operations: named.map((operation): DescribedOperation => ({
      ...describedOperation({ ...operation, forRequests, forResponses, onNote }),
      ...operation.place,
    })),
    otherOperations: otherOperations(found, onNote),
  };
};

const noteKeeper = (): { readonly notes: readonly string[]; readonly onNote: (note: string) => void } => {
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
  readonly found: FoundOperation;
  readonly parts: OperationParts;
}

const namedOperations = (
  document: JsonObject,
  all: readonly FoundOperation[],
  onNote: (note: string) => void,
): readonly NamedOperation[] => {
  const named = new Map<string, NamedOperation>();
  for (const found of all) {
    const { place } = found;
    if (place?.operation === undefined) {
      continue;
    }
    const label = `${place.interface}/${place.operation}`;
    if (named.has(label)) {
      onNote(`The OpenAPI document describes ${label} more than once; the first description counts.`);
    } else {
      const parts = operationParts(document, found);
      named.set(label, { label, place: { interface: place.interface, operation: place.operation }, found, parts });
    }
  }
  return [...named.values()];
};

interface CollectedSchemas {
  readonly requests: Map<unknown, string>;
  readonly responses: Map<unknown, string>;
}

const collectSchemas = (label: string, parts: OperationParts, { requests, responses }: CollectedSchemas): void => {
  for (const { name, in: place, schema } of parts.parameters) {
    if (place === "query") {
      note(requests, schema, `parameter \`${name.slice(0, 80)}\` of ${label}`);
    }
  }
  note(requests, parts.requestBody?.schema, `request of ${label}`);
  for (const [status, content] of parts.responses) {
    for (const [mediaType, entry] of Object.entries(content)) {
      const plain = plainMediaType(mediaType);
      if ((isJsonMediaType(plain) || plain.endsWith("/*")) && typeof entry === "object" && entry !== null) {
        note(responses, ownMember({ ...entry }, "schema"), `response ${status} of ${label}`);
      }
    }
  }
};

const note = (labels: Map<unknown, string>, schema: unknown, label: string): void => {
  if (schema !== undefined && !labels.has(schema)) {
    labels.set(schema, label);
  }
};

/** Also those of the interfaces that have no name here: nothing tests them. */
const otherOperations = (all: readonly FoundOperation[], onNote: (note: string) => void): readonly string[] => {
  const others = all.filter(({ place }) => place?.operation === undefined).map(methodAndPath);
  if (others.length > maxOtherOperations) {
    onNote(`Of ${others.length} other operations of the OpenAPI document, ${maxOtherOperations} are named.`);
  }
  return others.sort().slice(0, maxOtherOperations);
};
