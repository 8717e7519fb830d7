import type { IncomingHttpHeaders } from "node:http";

/** A body parsed as JSON, or the problem with it. */
export type JsonResult =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly problem: "content-type" | "malformed"; readonly message: string };

const maxDepth = 100;

/** Maximum nesting of brackets, ignoring those in strings. */
const measureDepth = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gsu)) {
    if (token === "[" || token === "{") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (token === "]" || token === "}") {
      depth -= 1;
    }
  }
  return deepest;
};

const reportMalformed = (message: string): JsonResult => ({ ok: false, problem: "malformed", message });

const parseJson = (bytes: Buffer): JsonResult => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (measureDepth(text) > maxDepth) {
      return reportMalformed(`The body is nested more than ${maxDepth} levels deep.`);
    }
    return { ok: true, json: JSON.parse(text) as unknown };
  } catch {
    return reportMalformed("The body is not valid JSON in UTF-8.");
  }
};

/** Reports whether a content type is JSON, ignoring parameters such as the character set. */
const isJsonType = (contentType: string | undefined): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";

/** Parses a body as JSON with a nesting of at most 100. */
export const readJson = (bytes: Buffer, headers: IncomingHttpHeaders): JsonResult => {
  const encoding = headers["content-encoding"] ?? "identity";
  if (!isJsonType(headers["content-type"]) || encoding !== "identity") {
    return { ok: false, problem: "content-type", message: "The body must be application/json, not compressed." };
  }
  return parseJson(bytes);
};
