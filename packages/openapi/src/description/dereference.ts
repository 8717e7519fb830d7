import { isJsonObject, ownMember } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { resolveReference } from "../local-reference.ts";

const maxSteps = 20;

/**
 * The object that `value` is, or that its reference leads to in the end. Undefined for anything else, for a reference
 * that leads nowhere or out of the document, and after 20 references, which is what a circle comes to.
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
    current = targetOf(document, reference);
  }
  return undefined;
};

/** What a reference leads to, undefined if it leads nowhere. */
export const targetOf = (document: JsonObject, reference: string): unknown => {
  try {
    return resolveReference(document, reference);
  } catch {
    return undefined;
  }
};
