import { isRecord, member } from "../../engine/json-value.ts";

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

/** A member that is a string, or nothing. */
export function stringMember(value: unknown, key: string): string | undefined {
  const text = member(value, key);
  return typeof text === "string" ? text : undefined;
}

/** A member that is a string, in either spelling, or nothing. */
export function wireString(value: unknown, name: string): string | undefined {
  const text = wireMember(value, name)?.value;
  return typeof text === "string" ? text : undefined;
}

/** The member as an array; whatever is none is empty. */
export function arrayMember(value: unknown, key: string): readonly unknown[] {
  const list = member(value, key);
  return Array.isArray(list) ? list : [];
}
