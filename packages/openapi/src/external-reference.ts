import { isJsonObject, ownMember, pointerTo } from "./json-object.ts";

const referenceKeywords = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

interface ExternalReference {
  /** Where in the document the reference stands, as a JSON pointer. */
  readonly pointer: string;
  readonly target: string;
}

/**
 * The first reference that leads out of the document, or undefined. Everything that does not begin with `#` does, also
 * relative paths. Looks everywhere, also where `$ref` would be mere data, because bundlers look there too.
 */
export const externalReference = (document: unknown): ExternalReference | undefined => {
  const pending: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: "", value: document }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pointer, value } = next;
    const target = isJsonObject(value) ? outwardTarget(value) : undefined;
    if (target !== undefined) {
      return { pointer, target };
    }
    for (const [key, child] of childrenOf(value)) {
      pending.push({ pointer: pointerTo(pointer, key), value: child });
    }
  }
  return undefined;
};

const childrenOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isContainer(value) ? Object.entries(value).filter(([, child]) => isContainer(child)) : [];

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const outwardTarget = (value: Readonly<Record<string, unknown>>): string | undefined =>
  referenceKeywords
    .map((keyword) => ownMember(value, keyword))
    .find((target): target is string => typeof target === "string" && !target.startsWith("#"));
