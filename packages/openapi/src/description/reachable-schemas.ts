import { isJsonObject, ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { decodeStep, isAnchorReference, leadsIntoComponent } from "../local-reference.ts";
import { targetOf } from "./dereference.ts";

/**
 * The component schemas of a document that `roots` refer to, directly or not, by name. All of them if there is a reference
 * by an anchor, which may stand anywhere. Undefined if more than `limit` values would have to be looked at.
 */
export const reachableSchemas = (
  document: JsonObject,
  roots: readonly unknown[],
  limit: number,
): JsonObject | undefined => {
  const components = ownObject(ownObject(document, "components"), "schemas");
  const reached = new Map<string, unknown>();
  const seen = new Set<object>();
  const pending: unknown[] = [...roots];
  while (pending.length > 0) {
    if (pending.length + seen.size > limit) {
      return undefined;
    }
    const value = pending.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) {
      continue;
    }
    seen.add(value);
    const references = isJsonObject(value) ? referencesOf(value) : [];
    if (references.some(isAnchorReference)) {
      return components;
    }
    const names = references.filter(leadsIntoComponent).map(componentName);
    for (const name of names.filter((wanted) => Object.hasOwn(components, wanted))) {
      reached.set(name, components[name]);
    }
    const targets = references.map((reference) => targetOf(document, reference));
    // Not spread into the call: a list of very many values has no room on the stack.
    for (const child of [Object.values(value), targets, names.map((name) => ownMember(components, name))].flat()) {
      pending.push(child);
    }
  }
  return Object.fromEntries(reached);
};

const referencesOf = (value: JsonObject): readonly string[] =>
  ["$ref", "$dynamicRef"].map((keyword) => ownMember(value, keyword)).filter((target) => typeof target === "string");

/** Name of the component that a reference leads to or into. */
const componentName = (reference: string): string => decodeStep(reference.split("/", 4)[3] ?? "");
