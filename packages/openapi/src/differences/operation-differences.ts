import type { ApiDifferenceKind } from "../description/api-description.ts";
import { jsonContent } from "../description/media-types.ts";
import type { OperationParameter, OperationParts } from "../description/operation-parts.ts";
import { ownMember } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { schemaDifferences, shortPlace } from "./schema-differences.ts";
import type { BothShapes, LocalDifference } from "./schema-differences.ts";

/** The same operation in the served document and in the project's own one. */
export interface BothOperations {
  readonly served: OperationParts;
  readonly own: OperationParts;
}

/** How the served description of an operation differs from the project's own: parameters, request, responses. */
export const operationDifferences = (operations: BothOperations, shapes: BothShapes): readonly LocalDifference[] => [
  ...parameterDifferences(operations, shapes),
  ...requestDifferences(operations, shapes),
  ...responseDifferences(operations, shapes),
];

const difference = (kind: ApiDifferenceKind, place: string, clause: string): LocalDifference => {
  const short = shortPlace(place);
  return { kind, place: short, message: `In the served document \`${short}\` ${clause}.` };
};

/** Headers that OpenAPI says are not parameters. */
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** Parameters of the query and headers by place; those of the path have no names that matter. */
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
    return [difference("parameter-removed", place, "is missing, in the project's own one it is there")];
  }
  if (own === undefined) {
    return [difference("parameter-added", place, "is there, in the project's own one it is not")];
  }
  return [
    ...requiredDifference(place, isRequired(served.parameter), isRequired(own.parameter)),
    ...schemaDifferences(shapes, { served: served.schema, own: own.schema, place }, "parameter-retyped"),
  ];
};

const isRequired = (parameter: JsonObject): boolean => ownMember(parameter, "required") === true;

const clause = (required: boolean): string => (required ? "is required" : "may be left out");

const requiredDifference = (place: string, served: boolean, own: boolean): readonly LocalDifference[] => {
  return served === own
    ? []
    : [difference("required-changed", place, `${clause(served)}, in the project's own one it ${clause(own)}`)];
};

const requestDifferences = ({ served, own }: BothOperations, shapes: BothShapes): readonly LocalDifference[] => {
  const place = "request";
  if (served.requestBody === undefined && own.requestBody === undefined) {
    return [];
  }
  if (served.requestBody === undefined) {
    return [difference("member-removed", place, "is missing, in the project's own one it is there")];
  }
  if (own.requestBody === undefined) {
    return [difference("member-added", place, "is there, in the project's own one it is not")];
  }
  return [
    ...requiredDifference(place, served.requestBody.required, own.requestBody.required),
    ...schemaDifferences(shapes, { served: served.requestBody.schema, own: own.requestBody.schema, place }),
  ];
};

const responseDifferences = ({ served, own }: BothOperations, shapes: BothShapes): readonly LocalDifference[] => {
  const [ofServed, ofOwn] = [[...served.responses.keys()], [...own.responses.keys()]];
  const added = ofServed.filter((status) => !ofOwn.some((other) => cover(status, other)));
  // A range in the own document stands for whatever else may come, which no document has to describe.
  const stated = ofOwn.filter((status) => !status.endsWith("XX"));
  const removed = stated.filter((status) => !ofServed.some((other) => cover(status, other)));
  return [
    ...added.map((status) =>
      difference("response-added", `response ${status}`, "is there, in the project's own one it is not"),
    ),
    ...removed.map((status) =>
      difference("response-removed", `response ${status}`, "is missing, in the project's own one it is there"),
    ),
    ...ofServed.flatMap((status) =>
      bodyDifferences(status, { served: served.responses.get(status), own: own.responses.get(status) }, shapes),
    ),
  ];
};

/** Whether one status speaks for the other: they are equal, one is in the range of the other, or one is the rest but success. */
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
  const schemas = [served, own].map((content) => jsonSchemaOf(content ?? {}));
  return schemas.includes(undefined)
    ? []
    : schemaDifferences(shapes, { served: schemas[0], own: schemas[1], place: `response ${status}` });
};

const jsonSchemaOf = (content: JsonObject): unknown => {
  const entry = jsonContent(content);
  return entry === undefined ? undefined : ownMember(entry, "schema");
};
