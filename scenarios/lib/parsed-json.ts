import { parseExactly } from "@assay/reading";

/** Parsed JSON, or undefined. */
export function parsedJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    // A target may send anything. The caller counts it.
    return undefined;
  }
}
