/** Keywords of JSON Schema 2020-12 that hold schemas by name. */
export const schemaMapKeywords = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
] as const;

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

/** Keywords that say something about a value themselves, or name the schema. `$ref`, `format` and such are apart. */
export const valueKeywords = [
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
export const annotationKeywords = [
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
