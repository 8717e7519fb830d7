import * as Type from "typebox";
import type { TProperties, TSchema } from "typebox";

/** The members that a shape names; of several kinds of objects, the members of all. */
const membersOf = (shape: TSchema | undefined): TProperties =>
  shape !== undefined && "oneOf" in shape && Array.isArray(shape.oneOf)
    ? Object.assign({}, ...shape.oneOf.map(membersOf))
    : Type.IsObject(shape)
      ? shape.properties
      : {};

/** The value with the members of every object in the order of the shape. Unknown members follow in alphabetical order. */
export function inReadingOrder(shape: TSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = Type.IsArray(shape) ? shape.items : undefined;
    return value.map((item) => inReadingOrder(items, item));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = membersOf(shape);
  const known = Object.keys(members).filter((name) => Object.hasOwn(value, name));
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(members, name))
    .sort();
  const inner = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    [...known, ...unknown].map((name) => [name, inReadingOrder(members[name], inner.get(name))]),
  );
}
