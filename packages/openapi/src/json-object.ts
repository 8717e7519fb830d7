/** A JSON object with untrusted names: use `Object.hasOwn`, never plain access. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports whether a parsed JSON value is an object, not an array and not null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An own member of an object, or undefined. Names such as `constructor` find nothing that was not sent. */
export const ownMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** An own member that is an object; otherwise an empty object. */
export const ownObject = (object: JsonObject, name: string): JsonObject => {
  const member = ownMember(object, name);
  return isJsonObject(member) ? member : {};
};

/** `pointer` with one more step, escaped as a JSON pointer requires. */
export const pointerTo = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
