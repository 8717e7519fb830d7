import { isJsonObject, ownMember, ownObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { isAnchorReference, leadsIntoComponent, referenceToDefinition, resolveReference } from "./local-reference.ts";

/**
 * The tag by which a `oneOf` can be decided without trying every branch, or undefined. It can when every branch demands
 * an object and the tag in it and lists its values, no value is in two branches, and a mapping, if there is one, says the
 * same. OpenAPI lets a discriminator say less or something else; then it is a mere hint and `oneOf` decides.
 */
const usableDiscriminator = (schema: JsonObject, document: JsonObject): string | undefined => {
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

/** Keywords of JSON Schema 2020-12 that hold schemas by name. */
const schemaMapKeywords = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] as const;

/** Keywords that hold a list of schemas. */
const schemaListKeywords = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** Keywords that hold one schema. */
const schemaKeywords = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

/** Keywords that say something about a value themselves, or name the schema. `$ref`, `format` and such are apart. */
const valueKeywords = [
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "type",
  "enum",
  "const",
  "multipleOf",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxContains",
  "minContains",
  "maxProperties",
  "minProperties",
  "required",
  "dependentRequired",
] as const;

/** Keywords of JSON Schema and OpenAPI that never decide about a value. Extensions (`x-`) do not either. */
const annotationKeywords = [
  "$schema",
  "$comment",
  "$vocabulary",
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "discriminator",
  "externalDocs",
  "xml",
] as const;

/**
 * A schema of OpenAPI 3.0 in the words of JSON Schema 2020-12, without going into its subschemas: `nullable` becomes a
 * type, the exclusive bounds become numbers, and beside a reference nothing counts.
 */
const schemaOfOpenApi30 = (schema: JsonObject): JsonObject => {
  if (typeof ownMember(schema, "$ref") === "string") {
    return { $ref: schema["$ref"] };
  }
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  return {
    ...rest,
    ...(nullable === true && typeof rest["type"] === "string" ? { type: [rest["type"], "null"] } : {}),
    ...bound(exclusiveMinimum, { exclusive: "exclusiveMinimum", inclusive: "minimum", schema: rest }),
    ...bound(exclusiveMaximum, { exclusive: "exclusiveMaximum", inclusive: "maximum", schema: rest }),
  };
};

interface Bound {
  readonly exclusive: string;
  readonly inclusive: string;
  readonly schema: JsonObject;
}

/** In 3.0 an exclusive bound is a flag of the inclusive one. The inclusive one may stay: it demands less. */
const bound = (flag: unknown, { exclusive, inclusive, schema }: Bound): JsonObject => {
  if (flag === undefined || flag === false) {
    return {};
  }
  return flag === true && Object.hasOwn(schema, inclusive) ? { [exclusive]: schema[inclusive] } : {};
};

/** Keyword that counts how often a reference is followed: beside it, or above the branches of a discriminator. */
export const stepKeyword = "x-step";

/** The schemas of a document as plain JSON Schema 2020-12, under `$defs`. */
export interface PlainSchemas {
  readonly $defs: JsonObject;
  /** What is not checked, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Copies the schemas of a document and leaves out what does not decide about values: annotations, extensions, keywords
 * and formats that are unknown (these get a note). So nothing in a document can switch on more than validation.
 */
export const plainSchemas = (document: JsonObject, options: CopyOptions): PlainSchemas =>
  new SchemaCopier(document, options).copyAll();

interface CopyOptions {
  readonly knowsFormat: (format: string) => boolean;
  /** Whether to put in the keyword that counts. */
  readonly countsReferences: boolean;
}

const members = (schema: JsonObject, keywords: readonly string[]): readonly (readonly [string, unknown])[] =>
  keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => [keyword, schema[keyword]]);

const knownKeywords: ReadonlySet<string> = new Set([
  ...schemaMapKeywords,
  ...schemaListKeywords,
  ...schemaKeywords,
  ...valueKeywords,
  ...annotationKeywords,
  "$ref",
  "$dynamicRef",
  "format",
]);

class SchemaCopier {
  readonly #document: JsonObject;
  readonly #options: CopyOptions;
  readonly #isOpenApi30: boolean;
  readonly #notes = new Set<string>();
  /** Targets of references outside the component schemas that are still to be copied, each once. */
  readonly #targets = new Set<string>();

  constructor(document: JsonObject, options: CopyOptions) {
    this.#document = document;
    this.#options = options;
    this.#isOpenApi30 = String(ownMember(document, "openapi")).startsWith("3.0.");
  }

  copyAll(): PlainSchemas {
    const components = ownObject(ownObject(this.#document, "components"), "schemas");
    const definitions = Object.entries(components).map(([name, schema]) => [name, this.#copy(schema)] as const);
    // A set grows while it is walked: copying a target may find further ones.
    const others = [...this.#copiedTargets()];
    return { $defs: Object.fromEntries([...definitions, ...others]), notes: [...this.#notes] };
  }

  *#copiedTargets(): Generator<readonly [string, unknown]> {
    for (const reference of this.#targets) {
      yield [reference, this.#copy(resolveReference(this.#document, reference))];
    }
  }

  #copy(given: unknown): unknown {
    if (!isJsonObject(given)) {
      return given;
    }
    const schema = this.#isOpenApi30 ? schemaOfOpenApi30(given) : given;
    this.#noteUnknown(schema);
    return Object.fromEntries([
      ...members(schema, valueKeywords),
      ...members(schema, schemaMapKeywords).map(([keyword, map]) => [keyword, this.#copyMap(map)]),
      ...members(schema, schemaListKeywords).map(([keyword, list]) => [keyword, this.#copyList(list)]),
      ...members(schema, schemaKeywords).map(([keyword, child]) => [keyword, this.#copy(child)]),
      ...this.#format(schema),
      ...this.#references(schema),
      ...this.#discriminator(schema),
    ]);
  }

  #copyMap(map: unknown): unknown {
    return isJsonObject(map)
      ? Object.fromEntries(Object.entries(map).map(([name, child]) => [name, this.#copy(child)]))
      : map;
  }

  #copyList(list: unknown): unknown {
    return Array.isArray(list) ? list.map((child: unknown) => this.#copy(child)) : list;
  }

  #format(schema: JsonObject): readonly (readonly [string, unknown])[] {
    const format = ownMember(schema, "format");
    if (typeof format !== "string" || this.#options.knowsFormat(format)) {
      return members(schema, ["format"]);
    }
    this.#notes.add(`The format \`${format.slice(0, 60)}\` is unknown and was not checked.`);
    return [];
  }

  #references(schema: JsonObject): readonly (readonly [string, unknown])[] {
    const references = members(schema, ["$ref", "$dynamicRef"]);
    return [
      ...references.map(([keyword, target]) => [keyword, this.#reference(target)] as const),
      ...(references.length === 0 ? [] : this.#step()),
    ];
  }

  #step(): readonly (readonly [string, unknown])[] {
    return this.#options.countsReferences ? [[stepKeyword, true]] : [];
  }

  #reference(target: unknown): unknown {
    if (typeof target !== "string" || isAnchorReference(target)) {
      return target;
    }
    if (leadsIntoComponent(target)) {
      return referenceToDefinition(target);
    }
    this.#targets.add(target);
    return `#/$defs/${encodeURIComponent(target.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
  }

  /** ajv looks through branches that are a reference and nothing else, so the step is counted above them. */
  #discriminator(schema: JsonObject): readonly (readonly [string, unknown])[] {
    const propertyName = usableDiscriminator(schema, this.#document);
    if (propertyName === undefined) {
      return [];
    }
    const branches: unknown = schema["oneOf"];
    const oneOf = Array.isArray(branches) ? branches.map((branch: unknown) => this.#branch(branch)) : branches;
    // ajv asks only objects for their tag; every branch is for objects alone, so other values fit none.
    return [["type", "object"], ["oneOf", oneOf], ["discriminator", { propertyName }], ...this.#step()];
  }

  #branch(branch: unknown): unknown {
    return isJsonObject(branch) && Object.hasOwn(branch, "$ref")
      ? { $ref: this.#reference(branch["$ref"]) }
      : this.#copy(branch);
  }

  #noteUnknown(schema: JsonObject): void {
    for (const keyword of Object.keys(schema)) {
      if (!knownKeywords.has(keyword) && !keyword.startsWith("x-")) {
        this.#notes.add(`The keyword \`${keyword.slice(0, 60)}\` is unknown and was not checked.`);
      }
    }
  }
}
