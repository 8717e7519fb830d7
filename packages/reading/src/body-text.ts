import { parseExactly } from "./exact-json.ts";
import { nestsDeeperThan } from "./nesting-depth.ts";

/** Largest body that is read as JSON, in bytes. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Deepest nesting of arrays and objects that is read. */
export const maxBodyDepth = 256;

/** A body as text and, where it is JSON, as its value; or why it is not read. */
export type BodyText =
  | { readonly kind: "text"; readonly text: string; readonly json: unknown }
  | { readonly kind: "limit"; readonly why: string };

/** Reads a body within the limits. `json` is undefined for an empty body and for text that is not JSON. */
export function readBody(body: Uint8Array): BodyText {
  if (body.length > maxBodyBytes) {
    return { kind: "limit", why: `a body of ${body.length} bytes, more than the checker's limit (${maxBodyBytes})` };
  }
  return readText(new TextDecoder().decode(body));
}

/** Reads text that came or went, within the limit of depth. */
export function readText(text: string): BodyText {
  if (nestsDeeperThan(text, maxBodyDepth)) {
    return { kind: "limit", why: `a body that nests deeper than the checker's limit (${maxBodyDepth})` };
  }
  return { kind: "text", text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
