import { parseExactly } from "./exact-json.ts";
import { nestsDeeperThan } from "./nesting-depth.ts";

/** Maximum size of a body that is parsed as JSON, in bytes. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Maximum nesting depth of arrays and objects. */
export const maxBodyDepth = 256;

/** A body as text with its JSON value, if any, or the reason why it was not read. */
export type BodyText =
  | { readonly kind: "text"; readonly text: string; readonly json: unknown }
  | { readonly kind: "limit"; readonly reason: string };

/** Reads a body within the limits. `json` is undefined for an empty body and for text that is not JSON. */
export function readBody(body: Uint8Array): BodyText {
  if (body.length > maxBodyBytes) {
    return { kind: "limit", reason: `a body of ${body.length} bytes, more than the checker's limit (${maxBodyBytes})` };
  }
  return readText(new TextDecoder().decode(body));
}

/** Reads text of a request or response within the depth limit. */
export function readText(text: string): BodyText {
  if (nestsDeeperThan(text, maxBodyDepth)) {
    return { kind: "limit", reason: `a body nested deeper than the checker's limit (${maxBodyDepth})` };
  }
  return { kind: "text", text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
