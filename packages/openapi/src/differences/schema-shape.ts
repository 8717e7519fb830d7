import { dereference } from "../description/dereference.ts";
import { isJsonObject, ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { intersectShapes, unionShapes, openShape, unknownShape } from "./shape-algebra.ts";
import type { SchemaShape, ShapeMember } from "./shape-algebra.ts";

/** Returns the canonical name of a member, which is the same for `retryTime` and `retry_time`. */
export const toMemberKey = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const maxDepth = 60;
const maxWork = 100_000;
const maxValues = 200;

/** Computes the shapes of the schemas of one document. Work is bounded. Beyond the limit every shape is unknown. */
export class SchemaShapes {
  readonly #document: JsonObject;
  readonly #shapes = new Map<object, SchemaShape>();
  readonly #active = new Set<object>();
  #workLeft = maxWork;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Reports whether the work limit was reached. */
  get isExhausted(): boolean {
    return this.#workLeft <= 0;
  }

  /** Returns the shape of values that match one of `schemas`. */
  shapeOf(schemas: ReadonlySet<unknown>): SchemaShape {
    return this.#spend(unionShapes([...schemas].map((schema) => this.#computeShape(schema))));
  }

  /** Returns the final target of a schema, which is the same for all references to it. */
  resolveTarget(schema: unknown): unknown {
    return dereference(this.#document, schema) ?? schema;
  }

  #spend(shape: SchemaShape): SchemaShape {
    this.#workLeft -= 1 + shape.members.size;
    return shape;
  }

  #computeShape(schema: unknown): SchemaShape {
    const target = dereference(this.#document, schema);
    if (target === undefined) {
      return openShape;
    }
    const cached = this.#shapes.get(target);
    if (cached !== undefined) {
      return cached;
    }
    // A schema that includes itself adds nothing.
    if (this.#active.has(target)) {
      return openShape;
    }
    if (this.#active.size > maxDepth || this.isExhausted) {
      return unknownShape;
    }
    this.#active.add(target);
    const shape = this.#spend(this.#combine(target));
    this.#active.delete(target);
    this.#shapes.set(target, shape);
    return shape;
  }

  #combine(schema: JsonObject): SchemaShape {
    const parts = readList(schema, "allOf").map((part) => this.#computeShape(part));
    const choices = ["oneOf", "anyOf"].map((keyword) => readList(schema, keyword)).filter((list) => list.length > 0);
    const alternatives = choices.map((list) => unionShapes(list.map((part) => this.#computeShape(part))));
    // One pass would suffice for siblings of `$ref` in 3.1, but dereferencing omits them.
    return [...parts, ...alternatives].reduce(
      (sum, part) => this.#spend(intersectShapes(sum, part)),
      readOwnShape(schema),
    );
  }
}

const readList = (schema: JsonObject, keyword: string): readonly unknown[] => {
  const list = ownMember(schema, keyword);
  return Array.isArray(list) ? list : [];
};

const readOwnShape = (schema: JsonObject): SchemaShape => {
  const members = readMembers(schema);
  const items = schemaSet(schema, "items");
  const values = schemaSet(schema, "additionalProperties");
  const enumeration = readEnumeration(schema);
  const types = readTypes(schema, enumeration);
  return {
    types: new Set(types.length > 0 ? types : impliedTypes(members.size > 0, items.size > 0)),
    permitsNull: readNamedTypes(schema).includes("null") || ownMember(schema, "nullable") === true,
    members,
    items,
    values,
    enumeration: enumeration === undefined ? undefined : new Set(enumeration.map(valueText)),
    isUnknown: false,
  };
};

const readMembers = (schema: JsonObject): ReadonlyMap<string, ShapeMember> => {
  const required = new Set(readList(schema, "required").map((name) => toMemberKey(String(name))));
  const members = new Map<string, ShapeMember>();
  for (const [name, property] of Object.entries(ownObject(schema, "properties"))) {
    const key = toMemberKey(name);
    const existing = members.get(key);
    members.set(key, {
      name: existing?.name ?? name,
      schemas: new Set([...(existing?.schemas ?? []), property]),
      isRequired: required.has(key),
      isEverywhere: true,
    });
  }
  return members;
};

const schemaSet = (schema: JsonObject, keyword: string): ReadonlySet<unknown> => {
  const child = ownMember(schema, keyword);
  return isJsonObject(child) ? new Set([child]) : new Set();
};

const readEnumeration = (schema: JsonObject): readonly unknown[] | undefined => {
  const enumValues = ownMember(schema, "enum");
  const values: readonly unknown[] | undefined = Object.hasOwn(schema, "const")
    ? [schema["const"]]
    : Array.isArray(enumValues)
      ? enumValues
      : undefined;
  return values?.filter((value) => value !== null).slice(0, maxValues);
};

const valueText = (value: unknown): string => JSON.stringify(value).slice(0, 80);

const readNamedTypes = (schema: JsonObject): readonly string[] => {
  const type = ownMember(schema, "type");
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((name) => typeof name === "string").map((name) => name.slice(0, 40));
};

const readTypes = (schema: JsonObject, enumeration: readonly unknown[] | undefined): readonly string[] => {
  const named = readNamedTypes(schema);
  return named.length > 0 ? named.filter((name) => name !== "null") : (enumeration ?? []).map(readValueType);
};

const readValueType = (value: unknown): string => {
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return Array.isArray(value) ? "array" : typeof value;
};

const impliedTypes = (hasMembers: boolean, hasItems: boolean): readonly string[] => [
  ...(hasMembers ? ["object"] : []),
  ...(hasItems ? ["array"] : []),
];
