import { HarnessError } from "@assay/contract";
import { isJsonObject, ownMember, pointerTo } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { isDeadReference } from "./local-reference.ts";
import { getSchemaResources } from "./schema-resources.ts";

const referenceKeywords = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/**
 * Returns the first bad reference of a document, or undefined if all references resolve inside it. `external-reference`: the reference does
 * not start with `#`, and no schema in the document has it as its `$id`. `unresolved-reference`: its target does not exist. Fails with
 * `too-expensive` for more than 10,000 schemas with an `$id`. Does not read files. Checks every `$ref`, even in plain data.
 */
export const findStrayReference = (document: JsonObject): HarnessError | undefined => {
  if (getSchemaResources(document).isExhausted) {
    return tooManyIds();
  }
  const pending: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: "", value: document }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pointer, value } = next;
    const stray = isJsonObject(value) ? findStrayReferenceIn(document, value, pointer) : undefined;
    if (stray !== undefined) {
      return stray;
    }
    for (const [key, child] of listChildren(value)) {
      pending.push({ pointer: pointerTo(pointer, key), value: child });
    }
  }
  return undefined;
};

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const listChildren = (value: unknown): readonly (readonly [string, unknown])[] =>
  isContainer(value) ? Object.entries(value).filter(([, child]) => isContainer(child)) : [];

const tooManyIds = (): HarnessError =>
  new HarnessError("too-expensive", "the OpenAPI document has more schemas with an `$id` than the limit");

const findStrayReferenceIn = (document: JsonObject, value: JsonObject, pointer: string): HarnessError | undefined => {
  const targets = referenceKeywords
    .map((keyword) => ownMember(value, keyword))
    .filter((target) => typeof target === "string");
  const resources = getSchemaResources(document);
  const externalTarget = targets.find((target) => resources.isExternal(value, target));
  if (externalTarget !== undefined) {
    return new HarnessError(
      "external-reference",
      `\`${pointer.slice(-200)}\` refers to \`${externalTarget.slice(0, 200)}\`, outside the OpenAPI document; bundle it first`,
    );
  }
  const unresolvedTarget = targets.find(
    (target) => isDeadReference(document, target) && resources.find(value, target) === undefined,
  );
  return unresolvedTarget === undefined
    ? undefined
    : new HarnessError(
        "unresolved-reference",
        `\`${pointer.slice(-200)}\` refers to \`${unresolvedTarget.slice(0, 200)}\`, which leads nowhere in the OpenAPI document`,
      );
};
