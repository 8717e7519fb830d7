import { parseExactly } from "@assay/reading";

/** Parsed JSON; undefined for what is none. */
export function parsedJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    // Anything may come from a target; what is no JSON is counted where it is read.
    return undefined;
  }
}
