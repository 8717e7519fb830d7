import { HarnessError } from "@assay/contract";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

const schemasPointer = "#/components/schemas/";

/** A reference by anchor rather than by pointer. */
export const isAnchorReference = (reference: string): boolean => /^#[A-Za-z_]/.test(reference);

/** Whether a reference leads into a component schema, to its root or deeper. */
export const leadsIntoComponent = (reference: string): boolean => reference.startsWith(schemasPointer);

/** The same reference in a schema that keeps component schemas in `$defs`. */
export const referenceToDefinition = (reference: string): string => `#/$defs/${reference.slice(schemasPointer.length)}`;

/** What a pointer such as `#/paths/~1a/get` leads to. Throws a `HarnessError` (`unresolved-reference`) for nothing. */
export const resolveReference = (document: JsonObject, reference: string): unknown => {
  let value: unknown = document;
  for (const step of reference.slice(1).split("/").slice(1)) {
    value = childOf(value, decodeStep(step));
  }
  if (value === undefined || !reference.startsWith("#/")) {
    throw new HarnessError(
      "unresolved-reference",
      `\`${reference.slice(0, 200)}\` leads nowhere in the OpenAPI document`,
    );
  }
  return value;
};

/**
 * Whether a reference by pointer leads to nothing. One that passes another reference on its way is taken to lead somewhere, and so
 * is one by anchor: what needs them finds out.
 */
export const leadsNowhere = (document: JsonObject, reference: string): boolean => {
  if (reference === "#" || !reference.startsWith("#/")) {
    return false;
  }
  let value: unknown = document;
  for (const step of reference.slice(2).split("/")) {
    if (isJsonObject(value) && typeof ownMember(value, "$ref") === "string") {
      return false;
    }
    value = childOf(value, decodeStep(step));
  }
  return value === undefined;
};

const childOf = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    return /^\d{1,9}$/.test(step) ? elements[Number(step)] : undefined;
  }
  return isJsonObject(value) ? ownMember(value, step) : undefined;
};

/** A step of a pointer in a reference, its escapes resolved. */
export const decodeStep = (step: string): string => decodeUri(step).replaceAll("~1", "/").replaceAll("~0", "~");

const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
