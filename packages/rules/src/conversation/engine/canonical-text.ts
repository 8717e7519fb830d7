import { isRecord } from "@assay/reading";

/** Serializes JSON with sorted members, so that equal values have equal texts. Undefined is written as null. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalText).join(",")}]`;
  }
  if (!isRecord(value)) {
    return JSON.stringify(value ?? null);
  }
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(",")}}`;
}
