import { isJsonObject, ownMember } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { resolveReference } from "../local-reference.ts";

const maxSteps = 20;

/**
 * Returns the object, or the final target of its reference. Returns undefined for any other value, for a reference that does not resolve
 * inside the document, and after 20 references, which also ends cycles.
 */
export const dereference = (document: JsonObject, value: unknown): JsonObject | undefined => {
  let current: unknown = value;
  for (let step = 0; step < maxSteps; step += 1) {
    if (!isJsonObject(current)) {
      return undefined;
    }
    const reference = ownMember(current, "$ref");
    if (typeof reference !== "string") {
      return current;
    }
    current = findTarget(document, reference);
  }
  return undefined;
};

/** Returns the target of a reference, or undefined if it does not resolve. */
export const findTarget = (document: JsonObject, reference: string): unknown => {
  try {
    return resolveReference(document, reference);
  } catch {
    return undefined;
  }
};
