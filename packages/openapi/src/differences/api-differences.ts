import type { ApiDifference, DescribedInterface } from "../description/api-description.ts";
import { findOperations, methodAndPath } from "../description/find-operations.ts";
import type { FoundOperation } from "../description/find-operations.ts";
import { operationParts } from "../description/operation-parts.ts";
import type { JsonObject } from "../json-object.ts";
import { operationDifferences } from "./operation-differences.ts";
import { SchemaShapes } from "./schema-shape.ts";

/** Most differences that are told. */
export const maxDifferences = 500;

/** What came of comparing two documents. */
export interface Comparison {
  /** Sorted by operation, place, kind and message. */
  readonly differences: readonly ApiDifference[];
  /** What was not compared or not told, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * How a served document differs from the project's own ones, in the operations of the tested interfaces. An interface that
 * the served document does not mention at all gets a note instead of a difference per operation. Members that are spelled
 * in camelCase and in snake_case are the same. Work is bounded; both have to hold everything they refer to.
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
      ? [`Of ${differences.length} differences from the project's own document, ${maxDifferences} are told.`]
      : []),
  ];
  return { differences: differences.slice(0, maxDifferences), notes };
};

/** Operations of the tested interfaces by label, the first of each. */
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
  `The served document describes no operation of the interface \`${name ?? "?"}\`, which was therefore not compared: the one that comes with the tool judges it.`;

const operationDifference = (kind: "operation-added" | "operation-removed", operation: string): ApiDifference => ({
  kind,
  operation,
  place: "",
  message:
    kind === "operation-added"
      ? `The served document describes \`${operation}\`, the project's own one does not.`
      : `The served document does not describe \`${operation}\`, the project's own one does.`,
});

/** By code units, so that the order is the same everywhere. */
const byPlace = (a: ApiDifference, b: ApiDifference): number =>
  compareTexts(a.operation, b.operation) ||
  compareTexts(a.place, b.place) ||
  compareTexts(a.kind, b.kind) ||
  compareTexts(a.message, b.message);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
