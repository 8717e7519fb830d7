import { parseExactly } from "@assay/reading";

/** Parses JSON. Returns undefined if it is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    // A target may send anything. The caller counts it.
    return undefined;
  }
}
