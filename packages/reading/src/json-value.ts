/** A JSON object as received: any key may be missing or hold anything. Read keys with `Object.hasOwn` semantics only. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object (no array, not null). */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The member if the object has one of its own, so that `toString` or `__proto__` never answer for the target. */
export const member = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The first of these members that is there and not null. */
export const firstMember = (value: unknown, names: readonly string[]): unknown =>
  names.map((name) => member(value, name)).find((found) => found !== undefined && found !== null);

/** A member that is a string, or nothing. */
export function stringMember(value: unknown, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

/** The elements of an array; whatever is none has none. */
export const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The elements of a member that is an array; whatever is none has none. */
export const arrayMember = (value: unknown, name: string): readonly unknown[] => elementsOf(member(value, name));

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A member of the current interface and how its name was spelled; the document leaves open which way it is. */
export interface WireMember {
  readonly key: string;
  readonly value: unknown;
}

/** The member called `name` (lowerCamelCase) in that spelling or with underscores, if the object has one of its own. */
export function wireMember(value: unknown, name: string): WireMember | undefined {
  const key = [name, snakeCase(name)].find((spelling) => isRecord(value) && Object.hasOwn(value, spelling));
  return key === undefined ? undefined : { key, value: member(value, key) };
}

/** A member that is a string, in either spelling, or nothing. */
export function wireString(value: unknown, name: string): string | undefined {
  const text = wireMember(value, name)?.value;
  return typeof text === "string" ? text : undefined;
}
