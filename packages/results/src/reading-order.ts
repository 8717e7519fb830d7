import * as Type from "typebox";
import type { TProperties, TSchema } from "typebox";

/** Returns the members of a shape. For a union of objects, returns the members of all of them. */
const listShapeMembers = (shape: TSchema | undefined): TProperties =>
  shape !== undefined && "oneOf" in shape && Array.isArray(shape.oneOf)
    ? Object.assign({}, ...shape.oneOf.map(listShapeMembers))
    : Type.IsObject(shape)
      ? shape.properties
      : {};

/** Sorts the members of every object in the order of the shape. Unknown members follow in alphabetical order. */
export function sortMembers(shape: TSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = Type.IsArray(shape) ? shape.items : undefined;
    return value.map((item) => sortMembers(items, item));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = listShapeMembers(shape);
  const knownNames = Object.keys(members).filter((name) => Object.hasOwn(value, name));
  const unknownNames = Object.keys(value)
    .filter((name) => !Object.hasOwn(members, name))
    .sort();
  const memberValues = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    [...knownNames, ...unknownNames].map((name) => [name, sortMembers(members[name], memberValues.get(name))]),
  );
}
