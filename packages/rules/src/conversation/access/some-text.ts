import { isRecord } from "@assay/reading";

/** Whether any string in a JSON value, at any depth, matches. Member names do not count. */
export function someText(json: unknown, isWanted: (text: string) => boolean): boolean {
  const rest: unknown[] = [json];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "string" && isWanted(value)) {
      return true;
    }
    const inside: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    // One by one: an array may have more elements than a call takes arguments.
    for (const element of inside) {
      rest.push(element);
    }
  }
  return false;
}
