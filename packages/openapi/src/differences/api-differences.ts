import type { ApiDifference, ApiDifferenceKind, DescribedInterface } from "../description/api-description.ts";
import { findOperations, methodAndPath } from "../description/find-operations.ts";
import type { LocatedOperation } from "../description/find-operations.ts";
import { readOperationParts } from "../description/operation-parts.ts";
import type { JsonObject } from "../json-object.ts";
import { findJsonContent } from "../description/media-types.ts";
import type { OperationParameter, OperationParts } from "../description/operation-parts.ts";
import { ownMember } from "../json-object.ts";
import { SchemaShapes } from "./schema-shape.ts";
import { compareSchemas, shortenPlace } from "./schema-differences.ts";
import type { ShapePair, LocalDifference } from "./schema-differences.ts";

/** The same operation in the served document and in ours. */
interface OperationPair {
  readonly served: OperationParts;
  readonly own: OperationParts;
}

/** Compares an operation of the served document with ours: parameters, request, responses. */
const compareOperations = (operations: OperationPair, shapes: ShapePair): readonly LocalDifference[] => [
  ...compareParameters(operations, shapes),
  ...compareRequests(operations, shapes),
  ...compareResponses(operations, shapes),
];

const createDifference = (kind: ApiDifferenceKind, place: string, clause: string): LocalDifference => {
  const short = shortenPlace(place);
  return { kind, place: short, message: `In the served document \`${short}\` ${clause}.` };
};

/** Headers that are not parameters according to OpenAPI. */
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** Returns the query and header parameters by location. Names of path parameters do not matter. */
const selectComparedParameters = ({ parameters }: OperationParts): ReadonlyMap<string, OperationParameter> => {
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const headers = parameters.filter(
    ({ in: place, name }) => place === "header" && !ignoredHeaders.has(name.toLowerCase()),
  );
  return new Map([
    ...queries.map((parameter) => [`parameter ${parameter.name}`, parameter] as const),
    ...headers.map((parameter) => [`header ${parameter.name.toLowerCase()}`, parameter] as const),
  ]);
};

const compareParameters = (operations: OperationPair, shapes: ShapePair): readonly LocalDifference[] => {
  const served = selectComparedParameters(operations.served);
  const own = selectComparedParameters(operations.own);
  const places = [...new Set([...served.keys(), ...own.keys()])];
  return places.flatMap((place) => compareParameter(place, { served: served.get(place), own: own.get(place) }, shapes));
};

interface ParameterPair {
  readonly served: OperationParameter | undefined;
  readonly own: OperationParameter | undefined;
}

const compareParameter = (
  place: string,
  { served, own }: ParameterPair,
  shapes: ShapePair,
): readonly LocalDifference[] => {
  if (served === undefined) {
    return [createDifference("parameter-removed", place, "is missing; Assay's copy has it")];
  }
  if (own === undefined) {
    return [createDifference("parameter-added", place, "is additional; Assay's copy does not have it")];
  }
  return [
    ...compareRequired(place, isRequired(served.parameter), isRequired(own.parameter)),
    ...compareSchemas(shapes, { served: served.schema, own: own.schema, place }, "parameter-retyped"),
  ];
};

const isRequired = (parameter: JsonObject): boolean => ownMember(parameter, "required") === true;

const describeRequired = (required: boolean): string => (required ? "is required" : "is optional");

const compareRequired = (place: string, served: boolean, own: boolean): readonly LocalDifference[] => {
  return served === own
    ? []
    : [
        createDifference(
          "required-changed",
          place,
          `${describeRequired(served)}; in Assay's copy it ${describeRequired(own)}`,
        ),
      ];
};

const compareRequests = ({ served, own }: OperationPair, shapes: ShapePair): readonly LocalDifference[] => {
  const place = "request";
  if (served.requestBody === undefined && own.requestBody === undefined) {
    return [];
  }
  if (served.requestBody === undefined) {
    return [createDifference("member-removed", place, "is missing; Assay's copy has it")];
  }
  if (own.requestBody === undefined) {
    return [createDifference("member-added", place, "is additional; Assay's copy does not have it")];
  }
  return [
    ...compareRequired(place, served.requestBody.required, own.requestBody.required),
    ...compareSchemas(shapes, { served: served.requestBody.schema, own: own.requestBody.schema, place }),
  ];
};

const compareResponses = ({ served, own }: OperationPair, shapes: ShapePair): readonly LocalDifference[] => {
  const [servedStatuses, ownStatuses] = [[...served.responses.keys()], [...own.responses.keys()]];
  const added = servedStatuses.filter((status) => !ownStatuses.some((other) => areCovering(status, other)));
  // A range in our document covers other possible statuses, which need not be described.
  const singleStatuses = ownStatuses.filter((status) => !status.endsWith("XX"));
  const removed = singleStatuses.filter((status) => !servedStatuses.some((other) => areCovering(status, other)));
  return [
    ...added.map((status) =>
      createDifference("response-added", `response ${status}`, "is additional; Assay's copy does not have it"),
    ),
    ...removed.map((status) =>
      createDifference("response-removed", `response ${status}`, "is missing; Assay's copy has it"),
    ),
    ...servedStatuses.flatMap((status) =>
      compareBodies(status, { served: served.responses.get(status), own: own.responses.get(status) }, shapes),
    ),
  ];
};

/**
 * Reports whether one status covers the other: they are equal, one is in the range of the other, or one is `default` and the other is not
 * 2xx.
 */
const areCovering = (a: string, b: string): boolean => a === b || isWithin(a, b) || isWithin(b, a);

const isWithin = (status: string, other: string): boolean =>
  (other === "default" && !status.startsWith("2")) || (other.endsWith("XX") && other[0] === status[0]);

interface ContentPair {
  readonly served: JsonObject | undefined;
  readonly own: JsonObject | undefined;
}

const compareBodies = (status: string, { served, own }: ContentPair, shapes: ShapePair): readonly LocalDifference[] => {
  const schemas = [served, own].map((content) => findJsonSchema(content ?? {}));
  return schemas.includes(undefined)
    ? []
    : compareSchemas(shapes, { served: schemas[0], own: schemas[1], place: `response ${status}` });
};

const findJsonSchema = (content: JsonObject): unknown => {
  const entry = findJsonContent(content);
  return entry === undefined ? undefined : ownMember(entry, "schema");
};

/** Maximum number of reported differences. */
export const maxDifferences = 500;

/** The result of comparing two documents. */
export interface Comparison {
  /** Sorted by operation, place, kind and message. */
  readonly differences: readonly ApiDifference[];
  /** Parts that were not compared or not reported, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Compares a served document with ours, in the operations of the tested interfaces. An interface that the served document does not mention
 * gets one note instead of a difference per operation. Member names in camelCase and snake_case are equal. Work is bounded. Both documents
 * must contain everything they refer to.
 */
export const compareApis = (served: JsonObject, own: readonly JsonObject[]): Comparison => {
  const servedOperations = listPlacedOperations(served);
  const shapes = new SchemaShapes(served);
  const comparisons = own.map((document) => compareDocument({ servedOperations, served, shapes }, document));
  const ownLabels = new Set(own.flatMap((document) => [...listPlacedOperations(document).keys()]));
  const added = [...servedOperations.keys()].filter((label) => !ownLabels.has(label));
  const differences = [
    ...comparisons.flatMap((comparison) => comparison.differences),
    ...added.map((operation) => operationDifference("operation-added", operation)),
  ].sort(byPlace);
  const notes = [
    ...new Set(comparisons.flatMap((comparison) => comparison.notes)),
    ...(shapes.isExhausted ? ["The schemas of the served document are too large to compare all of them."] : []),
    ...(differences.length > maxDifferences
      ? [`Shows ${maxDifferences} of ${differences.length} differences from Assay's copy.`]
      : []),
  ];
  return { differences: differences.slice(0, maxDifferences), notes };
};

/** Returns the operations of the tested interfaces by label. The first one of each label is used. */
const listPlacedOperations = (document: JsonObject): ReadonlyMap<string, LocatedOperation> => {
  const placed = new Map<string, LocatedOperation>();
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
  readonly servedOperations: ReadonlyMap<string, LocatedOperation>;
  readonly shapes: SchemaShapes;
}

const compareDocument = ({ served, servedOperations, shapes }: ServedSide, own: JsonObject): Comparison => {
  const both = { served: shapes, own: new SchemaShapes(own) };
  const mentionedInterfaces = new Set([...servedOperations.values()].map(({ place }) => place?.interface));
  const differences: ApiDifference[] = [];
  const notes: string[] = [];
  for (const [operation, found] of listPlacedOperations(own)) {
    const counterpart = servedOperations.get(operation);
    if (counterpart !== undefined) {
      const parts = { served: readOperationParts(served, counterpart), own: readOperationParts(own, found) };
      for (const difference of compareOperations(parts, both)) {
        differences.push({ operation, ...difference });
      }
    } else if (mentionedInterfaces.has(found.place?.interface)) {
      differences.push(operationDifference("operation-removed", operation));
    } else {
      notes.push(describeMissingInterface(found.place?.interface));
    }
  }
  return { differences, notes };
};

const describeMissingInterface = (name: DescribedInterface | undefined): string =>
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
