import { isJsonObject, ownMember, ownObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { resolveReference } from "./local-reference.ts";

/**
 * The tag by which a `oneOf` can be decided without trying every branch, or undefined. It can when every branch demands
 * an object and the tag in it and lists its values, no value is in two branches, and a mapping, if there is one, says the
 * same. OpenAPI lets a discriminator say less or something else; then it is a mere hint and `oneOf` decides.
 */
export const usableDiscriminator = (schema: JsonObject, document: JsonObject): string | undefined => {
  const tag = ownMember(ownObject(schema, "discriminator"), "propertyName");
  const branches: unknown = ownMember(schema, "oneOf");
  if (typeof tag !== "string" || !Array.isArray(branches) || branches.length === 0) {
    return undefined;
  }
  const values = branches.map((branch: unknown) => tagValues(branch, { tag, schema, document }));
  const all = values.flat();
  const decided = values.every((list) => list.length > 0) && new Set(all).size === all.length;
  return decided && mappingAgrees(schema, branches, values) ? tag : undefined;
};

interface TagContext {
  readonly tag: string;
  readonly schema: JsonObject;
  readonly document: JsonObject;
}

/** Values of the tag in a branch; none when the branch does not close the list or does not demand the tag. */
const tagValues = (branch: unknown, { tag, schema, document }: TagContext): readonly string[] => {
  const target = isJsonObject(branch) ? targetOf(branch, document) : undefined;
  if (target === undefined || !isForObjects(target) || !(demands(target, tag) || demands(schema, tag))) {
    return [];
  }
  const property = ownObject(ownObject(target, "properties"), tag);
  const values: unknown = Object.hasOwn(property, "const") ? [property["const"]] : ownMember(property, "enum");
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  const strings = list.filter((value): value is string => typeof value === "string" && value !== "");
  return strings.length === list.length ? strings : [];
};

const targetOf = (branch: JsonObject, document: JsonObject): JsonObject | undefined => {
  const reference = ownMember(branch, "$ref");
  if (typeof reference !== "string") {
    return branch;
  }
  const target = resolveReference(document, reference);
  return isJsonObject(target) && Object.keys(branch).length === 1 ? target : undefined;
};

const isForObjects = (schema: JsonObject): boolean => ownMember(schema, "type") === "object";

const demands = (schema: JsonObject, tag: string): boolean => {
  const required = ownMember(schema, "required");
  return Array.isArray(required) && required.includes(tag);
};

const mappingAgrees = (
  schema: JsonObject,
  branches: readonly unknown[],
  values: readonly (readonly string[])[],
): boolean => {
  const mapping = Object.entries(ownObject(ownObject(schema, "discriminator"), "mapping"));
  return mapping.every(([value, target]) => {
    const branch = branches[values.findIndex((list) => list.includes(value))];
    return isJsonObject(branch) && ownMember(branch, "$ref") === target;
  });
};
