/** Schemas that are written often. A value of an optional one may be null, which says the same as leaving it out. */
export const text = { type: "string" } as const;
export const integer = { type: "integer" } as const;
export const flag = { type: "boolean" } as const;
export const optionalText = { type: ["string", "null"] } as const;
export const optionalInteger = { type: ["integer", "null"] } as const;

/** A number of things: never negative. */
export const count = { type: "integer", minimum: 0 } as const;

/** A reference to a schema of the same document. */
export const ref = <const Name extends string>(name: Name) => ({ $ref: `#/components/schemas/${name}` as const });

/** What `name` describes, or null. */
export const optional = <const Name extends string>(name: Name) => ({ anyOf: [ref(name), { type: "null" }] }) as const;
