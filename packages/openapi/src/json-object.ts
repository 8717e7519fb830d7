/** A JSON object with untrusted names: use `Object.hasOwn`, never plain access. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports whether a parsed JSON value is an object, not an array and not null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an own member of an object, or undefined. Inherited names such as `constructor` are ignored. */
export const ownMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns an own member that is an object, or an empty object. */
export const ownObject = (object: JsonObject, name: string): JsonObject => {
  const member = ownMember(object, name);
  return isJsonObject(member) ? member : {};
};

/** Appends a step to a JSON pointer and escapes it. */
export const pointerTo = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
