import { isJsonObject, ownMember, ownObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { readList } from "./schema-resources.ts";
import type { SchemaResources } from "./schema-resources.ts";

/** A choice between schemas with a discriminator. */
export interface TaggedChoice {
  readonly keyword: "oneOf" | "anyOf";
  /** The member whose value selects the branch. */
  readonly tag: string;
  readonly branches: readonly unknown[];
  /**
   * Reports whether the listed tag values make the branches exclusive, so that the discriminator has no effect: every branch requires an
   * object with the tag and lists its values, no value belongs to two branches, and the mapping, if any, agrees.
   */
  readonly isExclusive: boolean;
}

/** Returns the choice in a schema with a discriminator. Returns undefined if there is none, or if the branches have no names. */
export const findTaggedChoice = (schema: JsonObject, resources: SchemaResources): TaggedChoice | undefined => {
  const tag = ownMember(ownObject(schema, "discriminator"), "propertyName");
  const keyword = (["oneOf", "anyOf"] as const).find((name) => readList(schema, name).length > 0);
  if (typeof tag !== "string" || keyword === undefined) {
    return undefined;
  }
  const branches = readList(schema, keyword);
  const values = branches.map((branch) => readTagValues(branch, { tag, schema, resources }));
  const allValues = values.flat();
  const hasDisjointValues = values.every((list) => list.length > 0) && new Set(allValues).size === allValues.length;
  const isExclusive = hasDisjointValues && mappingAgrees(schema, { branches, values, resources });
  return isExclusive || branches.some(hasReference) ? { keyword, tag, branches, isExclusive } : undefined;
};

/**
 * Returns the tag values of a branch: its values in the mapping, and the name of its schema. With `isStrict`, the name is ignored for a branch
 * that the mapping lists under a different name. Source: OpenAPI 3.0.3, section 4.7.25.
 */
export const findBranchNames = (
  branch: unknown,
  { schema, resources, isStrict }: { schema: JsonObject; resources: SchemaResources; isStrict: boolean },
): readonly string[] => {
  if (!hasReference(branch)) {
    return [];
  }
  const target = findBranchTarget(branch, resources);
  const mapping = Object.entries(ownObject(ownObject(schema, "discriminator"), "mapping"));
  const mappedNames = mapping
    .filter(([, to]) => findMappedSchema(schema, to, resources) === target)
    .map(([value]) => value);
  const name = String(branch["$ref"]).split(/[/#]/).at(-1) ?? "";
  const isTaken = mapping.some(([value]) => value === name);
  return isTaken || (isStrict && mappedNames.length > 0) ? mappedNames : [...mappedNames, name];
};

interface TagContext {
  readonly tag: string;
  readonly schema: JsonObject;
  readonly resources: SchemaResources;
}

/** Returns the tag values in a branch. Empty if the branch does not list all of them or does not require the tag. */
const readTagValues = (branch: unknown, { tag, schema, resources }: TagContext): readonly string[] => {
  const target = isJsonObject(branch) ? resolveBranch(branch, resources) : undefined;
  if (target === undefined || !isForObjects(target) || !(requiresTag(target, tag) || requiresTag(schema, tag))) {
    return [];
  }
  const property = ownObject(ownObject(target, "properties"), tag);
  const values: unknown = Object.hasOwn(property, "const") ? [property["const"]] : ownMember(property, "enum");
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  const strings = list.filter((value): value is string => typeof value === "string" && value !== "");
  return strings.length === list.length ? strings : [];
};

const hasReference = (branch: unknown): branch is JsonObject =>
  isJsonObject(branch) && typeof ownMember(branch, "$ref") === "string";

const findBranchTarget = (branch: JsonObject, resources: SchemaResources): unknown =>
  resources.find(branch, String(branch["$ref"]));

/** Returns the branch, or the target of its reference if it contains nothing else. */
const resolveBranch = (branch: JsonObject, resources: SchemaResources): JsonObject | undefined => {
  if (!hasReference(branch)) {
    return branch;
  }
  const target = findBranchTarget(branch, resources);
  return isJsonObject(target) && Object.keys(branch).length === 1 ? target : undefined;
};

const isForObjects = (schema: JsonObject): boolean => ownMember(schema, "type") === "object";

const requiresTag = (schema: JsonObject, tag: string): boolean => readList(schema, "required").includes(tag);

/** A mapping contains a schema name or a reference. */
const findMappedSchema = (schema: JsonObject, to: unknown, resources: SchemaResources): unknown =>
  typeof to !== "string"
    ? undefined
    : ((/^[\w.-]+$/.test(to) ? resources.find(resources.document.root, `#/components/schemas/${to}`) : undefined) ??
      resources.find(schema, to));

const mappingAgrees = (
  schema: JsonObject,
  {
    branches,
    values,
    resources,
  }: { branches: readonly unknown[]; values: readonly (readonly string[])[]; resources: SchemaResources },
): boolean => {
  const mapping = Object.entries(ownObject(ownObject(schema, "discriminator"), "mapping"));
  return mapping.every(([value, to]) => {
    const branch = branches[values.findIndex((list) => list.includes(value))];
    return hasReference(branch) && findBranchTarget(branch, resources) === findMappedSchema(schema, to, resources);
  });
};
