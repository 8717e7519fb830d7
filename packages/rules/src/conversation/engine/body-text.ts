import { parseExactly } from "@assay/reading";

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
  if (nestsDeeper(text)) {
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

const quote = 0x22;
const backslash = 0x5c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Looks at the text alone: a parser would already have gone that deep. Brackets in strings do not count. Goes through the
 * characters by hand, as a pattern for strings runs out of stack on a long one.
 */
function nestsDeeper(text: string): boolean {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= maxBodyDepth; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (opening.has(code)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (closing.has(code)) {
      depth -= 1;
    }
  }
  return deepest > maxBodyDepth;
}

/** Where the string that begins at `start` ends; behind the text where it does not. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) {
    at += text.charCodeAt(at) === backslash ? 2 : 1;
  }
  return at;
}
