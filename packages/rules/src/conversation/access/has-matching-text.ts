import { isRecord } from "@assay/reading";

/** Reports whether any string in a JSON value matches, at any depth. Member names are ignored. */
export function hasMatchingText(json: unknown, matches: (text: string) => boolean): boolean {
  const pendingValues: unknown[] = [json];
  while (pendingValues.length > 0) {
    const value = pendingValues.pop();
    if (typeof value === "string" && matches(value)) {
      return true;
    }
    const children: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    // Pushed individually, because an array may have more elements than a call can have arguments.
    for (const element of children) {
      pendingValues.push(element);
    }
  }
  return false;
}
