/**
 * Whether no two elements are equal as JSON. Linear in the size of the array, unlike comparing each with each, which a
 * long array can make take seconds.
 */
export const hasUniqueItems = (items: readonly unknown[]): boolean =>
  new Set(items.map(canonical)).size === items.length;

const canonical = (value: unknown): string => {
  if (typeof value !== "object" || value === null) {
    // -0 and 0 are the same number; JSON writes them alike here.
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.sort().join(",")}}`;
};
