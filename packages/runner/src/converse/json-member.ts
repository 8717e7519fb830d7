/** An own member of a JSON object, or undefined. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

/** The first of these members that is there and not null. */
export const firstMember = (value: unknown, names: readonly string[]): unknown =>
  names.map((name) => member(value, name)).find((found) => found !== undefined && found !== null);

/** What is inside a wrapper object around a resource, or the value itself. */
export function unwrapped(value: unknown, name: string): unknown {
  const inner = member(value, name);
  return typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : value;
}

/** The elements of an array, or none. */
export const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text, or undefined. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
