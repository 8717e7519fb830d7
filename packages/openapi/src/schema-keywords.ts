/** Keywords of JSON Schema 2020-12 that contain schemas by name, except definitions, which apply to no value. */
export const schemaMapKeywords = ["properties", "patternProperties", "dependentSchemas"] as const;

/** Keywords with named schemas that references may use. */
export const definitionKeywords = ["$defs", "definitions"] as const;

/** Keywords with a list of schemas. */
export const schemaListKeywords = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** Keywords with one schema. */
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

/** Keywords whose schemas apply to the value itself, not to a part of it. */
export const inPlaceKeywords = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"] as const;

/** Keywords that restrict a value directly. `$ref`, `format` and similar ones are separate. */
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

/** Keywords of other JSON Schema drafts that restrict values. 2020-12 does not define them, so their meaning is uncertain. */
export const foreignKeywords = ["$recursiveRef", "additionalItems", "dependencies"] as const;

/** Keywords of JSON Schema and OpenAPI that never restrict a value, like extensions (`x-`). */
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

/** Every keyword that is supported, or reported as unsupported. */
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
