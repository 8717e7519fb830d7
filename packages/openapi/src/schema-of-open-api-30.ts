import { ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/**
 * Converts a schema of OpenAPI 3.0 to JSON Schema 2020-12, without its subschemas: `nullable` becomes a type, exclusive bounds become
 * numbers, and siblings of a reference are dropped. Keywords that 3.0 does not define have their meaning in 3.1.
 */
export const convertOpenApi30Schema = (schema: JsonObject): JsonObject => {
  if (typeof ownMember(schema, "$ref") === "string") {
    return { $ref: schema["$ref"] };
  }
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  return {
    ...rest,
    ...(nullable === true && typeof rest["type"] === "string" ? { type: [rest["type"], "null"] } : {}),
    ...convertBound(exclusiveMinimum, { exclusive: "exclusiveMinimum", inclusive: "minimum", schema: rest }),
    ...convertBound(exclusiveMaximum, { exclusive: "exclusiveMaximum", inclusive: "maximum", schema: rest }),
  };
};

interface Bound {
  readonly exclusive: string;
  readonly inclusive: string;
  readonly schema: JsonObject;
}

/** In 3.0 an exclusive bound is a flag of the inclusive one. The inclusive bound is kept, because it is weaker. */
const convertBound = (flag: unknown, { exclusive, inclusive, schema }: Bound): JsonObject => {
  if (flag === undefined || flag === false) {
    return {};
  }
  if (flag !== true) {
    return { [exclusive]: flag };
  }
  return Object.hasOwn(schema, inclusive) ? { [exclusive]: schema[inclusive] } : {};
};
