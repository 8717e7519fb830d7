import type { ApiDifference, ApiDifferenceKind, DescribedInterface } from "../description/api-description.ts";
import { findOperations, methodAndPath } from "../description/find-operations.ts";
import type { FoundOperation } from "../description/find-operations.ts";
import { operationParts } from "../description/operation-parts.ts";
import type { JsonObject } from "../json-object.ts";
import { jsonContent } from "../description/media-types.ts";
import type { OperationParameter, OperationParts } from "../description/operation-parts.ts";
import { ownMember } from "../json-object.ts";
import { SchemaShapes } from "./schema-shape.ts";
import { schemaDifferences, shortPlace } from "./schema-differences.ts";
import type { BothShapes, LocalDifference } from "./schema-differences.ts";

/** The same operation in the served document and in ours. */
interface BothOperations {
  readonly served: OperationParts;
  readonly own: OperationParts;
}

/** Compares an operation of the served document with ours: parameters, request, responses. */
const operationDifferences = (operations: BothOperations, shapes: BothShapes): readonly LocalDifference[] => [
  ...parameterDifferences(operations, shapes),
  ...requestDifferences(operations, shapes),
  ...responseDifferences(operations, shapes),
];

const difference = (kind: ApiDifferenceKind, place: string, clause: string): LocalDifference => {
  const short = shortPlace(place);
  return { kind, place: short, message: `In the served document \`${short}\` ${clause}.` };
};

/** Headers that are not parameters according to OpenAPI. */
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** Returns the query and header parameters by location. Names of path parameters do not matter. */
const comparedParameters = ({ parameters }: OperationParts): ReadonlyMap<string, OperationParameter> => {
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const headers = parameters.filter(
    ({ in: place, name }) => place === "header" && !ignoredHeaders.has(name.toLowerCase()),
  );
  return new Map([
    ...queries.map((parameter) => [`parameter ${parameter.name}`, parameter] as const),
    ...headers.map((parameter) => [`header ${parameter.name.toLowerCase()}`, parameter] as const),
  ]);
};

const parameterDifferences = (operations: BothOperations, shapes: BothShapes): readonly LocalDifference[] => {
  const served = comparedParameters(operations.served);
  const own = comparedParameters(operations.own);
  const places = [...new Set([...served.keys(), ...own.keys()])];
  return places.flatMap((place) =>
    parameterDifference(place, { served: served.get(place), own: own.get(place) }, shapes),
  );
};

interface BothParameters {
  readonly served: OperationParameter | undefined;
  readonly own: OperationParameter | undefined;
}

const parameterDifference = (
  place: string,
  { served, own }: BothParameters,
  shapes: BothShapes,
): readonly LocalDifference[] => {
  if (served === undefined) {
    return [difference("parameter-removed", place, "is missing; Assay's copy has it")];
  }
  if (own === undefined) {
    return [difference("parameter-added", place, "is additional; Assay's copy does not have it")];
  }
  return [
    ...requiredDifference(place, isRequired(served.parameter), isRequired(own.parameter)),
    ...schemaDifferences(shapes, { served: served.schema, own: own.schema, place }, "parameter-retyped"),
  ];
};

const isRequired = (parameter: JsonObject): boolean => ownMember(parameter, "required") === true;

const clause = (required: boolean): string => (required ? "is required" : "is optional");

const requiredDifference = (place: string, served: boolean, own: boolean): readonly LocalDifference[] => {
  return served === own
    ? []
    : [difference("required-changed", place, `${clause(served)}; in Assay's copy it ${clause(own)}`)];
};

const requestDifferences = ({ served, own }: BothOperations, shapes: BothShapes): readonly LocalDifference[] => {
  const place = "request";
  if (served.requestBody === undefined && own.requestBody === undefined) {
    return [];
  }
  if (served.requestBody === undefined) {
    return [difference("member-removed", place, "is missing; Assay's copy has it")];
  }
  if (own.requestBody === undefined) {
    return [difference("member-added", place, "is additional; Assay's copy does not have it")];
  }
  return [
    ...requiredDifference(place, served.requestBody.required, own.requestBody.required),
    ...schemaDifferences(shapes, { served: served.requestBody.schema, own: own.requestBody.schema, place }),
  ];
};

const responseDifferences = ({ served, own }: BothOperations, shapes: BothShapes): readonly LocalDifference[] => {
  const [ofServed, ofOwn] = [[...served.responses.keys()], [...own.responses.keys()]];
  const added = ofServed.filter((status) => !ofOwn.some((other) => cover(status, other)));
  // A range in our document covers other possible statuses, which need not be described.
  const stated = ofOwn.filter((status) => !status.endsWith("XX"));
  const removed = stated.filter((status) => !ofServed.some((other) => cover(status, other)));
  return [
    ...added.map((status) =>
      difference("response-added", `response ${status}`, "is additional; Assay's copy does not have it"),
    ),
    ...removed.map((status) => difference("response-removed", `response ${status}`, "is missing; Assay's copy has it")),
    ...ofServed.flatMap((status) =>
      bodyDifferences(status, { served: served.responses.get(status), own: own.responses.get(status) }, shapes),
    ),
  ];
};

/**
 * Reports whether one status covers the other: they are equal, one is in the range of the other, or one is `default` and the other is not
 * 2xx.
 */
const cover = (a: string, b: string): boolean => a === b || isWithin(a, b) || isWithin(b, a);

const isWithin = (status: string, other: string): boolean =>
  (other === "default" && !status.startsWith("2")) || (other.endsWith("XX") && other[0] === status[0]);

interface BothContents {
  readonly served: JsonObject | undefined;
  readonly own: JsonObject | undefined;
}

const bodyDifferences = (
  status: string,
  { served, own }: BothContents,
  shapes: BothShapes,
): readonly LocalDifference[] => {
  const schemas = [served, own].map((content) => findJsonSchema(content ?? {}));
  return schemas.includes(undefined)
    ? []
    : schemaDifferences(shapes, { served: schemas[0], own: schemas[1], place: `response ${status}` });
};

const findJsonSchema = (content: JsonObject): unknown => {
  const entry = jsonContent(content);
  return entry === undefined ? undefined : ownMember(entry, "schema");
};

/** Maximum number of reported differences. */
export const maxDifferences = 500;

/** The result of comparing two documents. */
export interface Comparison {
  /** Sorted by operation, place, kind and message. */
  readonly differences: readonly ApiDifference[];
  /** Parts that were not compared or not reported, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Compares a served document with ours, in the operations of the tested interfaces. An interface that the served document does not mention
 * gets one note instead of a difference per operation. Member names in camelCase and snake_case are equal. Work is bounded. Both documents
 * must contain everything they refer to.
 */
export const apiDifferences = (served: JsonObject, own: readonly JsonObject[]): Comparison => {
  const ofServed = placedOperations(served);
  const shapes = new SchemaShapes(served);
  const compared = own.map((document) => compareDocument({ ofServed, served, shapes }, document));
  const known = new Set(own.flatMap((document) => [...placedOperations(document).keys()]));
  const added = [...ofServed.keys()].filter((label) => !known.has(label));
  const differences = [
    ...compared.flatMap((comparison) => comparison.differences),
    ...added.map((operation) => operationDifference("operation-added", operation)),
  ].sort(byPlace);
  const notes = [
    ...new Set(compared.flatMap((comparison) => comparison.notes)),
    ...(shapes.isExhausted ? ["The schemas of the served document are too large to compare all of them."] : []),
    ...(differences.length > maxDifferences
      ? [`Shows ${maxDifferences} of ${differences.length} differences from Assay's copy.`]
      : []),
  ];
  return { differences: differences.slice(0, maxDifferences), notes };
};

/** Returns the operations of the tested interfaces by label. The first one of each label is used. */
const placedOperations = (document: JsonObject): ReadonlyMap<string, FoundOperation> => {
  const placed = new Map<string, FoundOperation>();
  for (const found of findOperations(document)) {
    const { place } = found;
    if (place !== undefined) {
      const label = place.operation === undefined ? methodAndPath(found) : `${place.interface}/${place.operation}`;
      placed.set(label, placed.get(label) ?? found);
    }
  }
  return placed;
};

interface ServedSide {
  readonly served: JsonObject;
  readonly ofServed: ReadonlyMap<string, FoundOperation>;
  readonly shapes: SchemaShapes;
}

const compareDocument = ({ served, ofServed, shapes }: ServedSide, own: JsonObject): Comparison => {
  const both = { served: shapes, own: new SchemaShapes(own) };
  const mentioned = new Set([...ofServed.values()].map(({ place }) => place?.interface));
  const differences: ApiDifference[] = [];
  const notes: string[] = [];
  for (const [operation, found] of placedOperations(own)) {
    const counterpart = ofServed.get(operation);
    if (counterpart !== undefined) {
      const parts = { served: operationParts(served, counterpart), own: operationParts(own, found) };
      for (const difference of operationDifferences(parts, both)) {
        differences.push({ operation, ...difference });
      }
    } else if (mentioned.has(found.place?.interface)) {
      differences.push(operationDifference("operation-removed", operation));
    } else {
      notes.push(notMentioned(found.place?.interface));
    }
  }
  return { differences, notes };
};

const notMentioned = (name: DescribedInterface | undefined): string =>
  `The served document describes no operation of the interface \`${name ?? "?"}\`, so it was not compared: Assay's copy is used for it.`;

const operationDifference = (kind: "operation-added" | "operation-removed", operation: string): ApiDifference => ({
  kind,
  operation,
  place: "",
  message:
    kind === "operation-added"
      ? `The served document describes \`${operation}\`; Assay's copy does not.`
      : `The served document does not describe \`${operation}\`; Assay's copy does.`,
});

/** Compares by code units, so that the order does not depend on the locale. */
const byPlace = (a: ApiDifference, b: ApiDifference): number =>
  compareTexts(a.operation, b.operation) ||
  compareTexts(a.place, b.place) ||
  compareTexts(a.kind, b.kind) ||
  compareTexts(a.message, b.message);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
