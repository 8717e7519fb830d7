/** A JSON object as received: any key may be missing or have any value. Read keys with `Object.hasOwn` semantics only. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reports whether a JSON value is an object, not an array or null. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an own member of an object. Inherited ones such as `toString` or `__proto__` are ignored. */
export const member = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Returns the first of these members that is present and not null. */
export const firstMember = (value: unknown, names: readonly string[]): unknown =>
  names.map((name) => member(value, name)).find((candidate) => candidate !== undefined && candidate !== null);

/** Returns a member that is a string, or undefined. */
export function stringMember(value: unknown, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

/** Returns the elements of an array, or an empty array for any other value. */
export const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the elements of a member that is an array, or an empty array. */
export const arrayMember = (value: unknown, name: string): readonly unknown[] => elementsOf(member(value, name));

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A member of the current interface with the spelling of its name, which the specification leaves open. */
export interface WireMember {
  readonly key: string;
  readonly value: unknown;
}

/** Returns the own member `name` (lowerCamelCase), spelled that way or in snake_case. */
export function wireMember(value: unknown, name: string): WireMember | undefined {
  const key = [name, snakeCase(name)].find((spelling) => isRecord(value) && Object.hasOwn(value, spelling));
  return key === undefined ? undefined : { key, value: member(value, key) };
}

/** Returns a member that is a string, in either spelling, or undefined. */
export function wireString(value: unknown, name: string): string | undefined {
  const text = wireMember(value, name)?.value;
  return typeof text === "string" ? text : undefined;
}
