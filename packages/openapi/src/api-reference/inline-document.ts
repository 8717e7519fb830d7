import { isJsonObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { nestsDeeperThan } from "../nesting-depth.ts";
import { checkVersion, maxDocumentDepth, parseOpenApiText } from "../parse-open-api-document.ts";

const maxValues = 5_000;
const maxTexts = 3;

/**
 * The OpenAPI document that stands in the JSON of a script or a setting of a page: whole, as a member, or as text in a
 * member. Undefined when there is none among the first 5,000 values.
 */
export const inlineDocument = (text: string): JsonObject | undefined => {
  if (!/^\s*[{[]/.test(text) || !text.includes("openapi") || nestsDeeperThan(text, maxDocumentDepth)) {
    return undefined;
  }
  let textsLeft = maxTexts;
  for (const value of valuesIn(parsed(text))) {
    const isText = typeof value === "string" && textsLeft > 0 && mayBeDocument(value);
    textsLeft -= isText ? 1 : 0;
    const result = isText ? parseOpenApiText(value) : checkVersion(value);
    if (result.ok) {
      return result.value;
    }
  }
  return undefined;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Level by level, so that a document is met before the parts of it. */
function* valuesIn(value: unknown): Generator {
  const pending: unknown[] = [value];
  for (let index = 0; index < Math.min(pending.length, maxValues); index += 1) {
    const next = pending[index];
    yield next;
    const children: readonly unknown[] = isJsonObject(next) ? Object.values(next) : Array.isArray(next) ? next : [];
    pending.push(...children.slice(0, maxValues));
  }
}

const mayBeDocument = (text: string): boolean => /openapi["']?\s{0,5}:/.test(text.slice(0, 500));
