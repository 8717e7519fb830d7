/** Keywords of JSON Schema 2020-12 that hold schemas by name; definitions are apart, they apply to nothing. */
export const schemaMapKeywords = ["properties", "patternProperties", "dependentSchemas"] as const;

/** Keywords that hold schemas by name for references to lead to. */
export const definitionKeywords = ["$defs", "definitions"] as const;

/** Keywords that hold a list of schemas. */
export const schemaListKeywords = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** Keywords that hold one schema. */
export const schemaKeywords = [
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

/** Keywords whose schemas apply to the value itself, rather than to a part of it. */
export const inPlaceKeywords = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"] as const;

/** Keywords that say something about a value themselves. `$ref`, `format` and such are apart. */
export const valueKeywords = [
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

/** Keywords of other drafts of JSON Schema that decide about values. 2020-12 lacks them, so what is meant by them is unclear. */
export const foreignKeywords = ["$recursiveRef", "additionalItems", "dependencies"] as const;

/** Keywords of JSON Schema and OpenAPI that never decide about a value. Extensions (`x-`) do not either. */
export const annotationKeywords = [
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
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

/** Every keyword that is understood, or whose lack of support is reported. */
export const knownKeywords: ReadonlySet<string> = new Set([
  ...schemaMapKeywords,
  ...definitionKeywords,
  ...schemaListKeywords,
  ...schemaKeywords,
  ...valueKeywords,
  ...annotationKeywords,
  ...foreignKeywords,
  "$ref",
  "$dynamicRef",
  "format",
]);
