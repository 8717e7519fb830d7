import { parseExactly } from "@assay/contract";

/** A member of what came as JSON; undefined where there is none or nothing that has members. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** The elements of what came as JSON; none where it is no array. */
export const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parsed JSON; undefined for what is none. */
export function parsedJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    // Anything may come from a target; what is no JSON is counted where it is read.
    return undefined;
  }
}
