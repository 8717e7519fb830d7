/** Schemas that are written often. What an optional one is about may be null in a request, which says the same as leaving it out. */
export const text = { type: "string" } as const;
export const integer = { type: "integer" } as const;
export const optionalText = { type: ["string", "null"] } as const;
export const optionalInteger = { type: ["integer", "null"] } as const;

/** A number of things: never negative. */
export const count = { type: "integer", minimum: 0 } as const;

/** Elements of a value that is an array; whatever else it is, nothing is said about it. */
export const listOf = <const Name extends string>(name: Name) =>
  ({ type: ["array", "object", "string", "number", "boolean", "null"], items: ref(name) }) as const;

/** A reference to a schema of the same document. */
export const ref = <const Name extends string>(name: Name) => ({ $ref: `#/components/schemas/${name}` as const });
