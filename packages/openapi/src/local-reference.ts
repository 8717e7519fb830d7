import { HarnessError } from "@assay/contract";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/** Returns the target of a pointer such as `#/paths/~1a/get`. Throws a `HarnessError` (`unresolved-reference`) if it does not resolve. */
export const resolveReference = (document: JsonObject, reference: string): unknown => {
  const value = reference.startsWith("#/") ? resolvePointer(document, reference.slice(1)) : undefined;
  if (value === undefined) {
    throw new HarnessError(
      "unresolved-reference",
      `\`${reference.slice(0, 200)}\` leads nowhere in the OpenAPI document`,
    );
  }
  return value;
};

/** Returns the target of a pointer such as `/paths/~1a/get` in `root`, or undefined. Steps may be percent-encoded. */
export const resolvePointer = (root: JsonObject, pointer: string): unknown => {
  let value: unknown = root;
  for (const step of pointer.split("/").slice(1)) {
    value = findChild(value, decodeStep(step));
  }
  return value;
};

/**
 * Reports whether a reference by pointer does not resolve. A pointer through another reference and a reference by anchor are treated as
 * resolved: the code that follows them detects errors.
 */
export const isDeadReference = (document: JsonObject, reference: string): boolean => {
  if (reference === "#" || !reference.startsWith("#/")) {
    return false;
  }
  let value: unknown = document;
  for (const step of reference.slice(2).split("/")) {
    if (isJsonObject(value) && typeof ownMember(value, "$ref") === "string") {
      return false;
    }
    value = findChild(value, decodeStep(step));
  }
  return value === undefined;
};

const findChild = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    return /^\d{1,9}$/.test(step) ? elements[Number(step)] : undefined;
  }
  return isJsonObject(value) ? ownMember(value, step) : undefined;
};

/** Unescapes a step of a pointer in a reference. */
const decodeStep = (step: string): string => decodeUri(step).replaceAll("~1", "/").replaceAll("~0", "~");

/** Decodes percent-encoding. Returns malformed text unchanged. */
export const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
