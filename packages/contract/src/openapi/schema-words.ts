/** Schemas that occur often. An optional one also allows null, which means the same as leaving the member out. */
export const text = { type: "string" } as const;
export const integer = { type: "integer" } as const;
export const optionalText = { type: ["string", "null"] } as const;
export const optionalInteger = { type: ["integer", "null"] } as const;

/** A count, never negative. */
export const count = { type: "integer", minimum: 0 } as const;

/** Schema of the elements if the value is an array; any other value is allowed. */
export const listOf = <const Name extends string>(name: Name) =>
  ({ type: ["array", "object", "string", "number", "boolean", "null"], items: ref(name) }) as const;

/** Returns a reference to a schema of the same document. */
export const ref = <const Name extends string>(name: Name) => ({ $ref: `#/components/schemas/${name}` as const });
