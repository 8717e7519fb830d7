/**
 * Reports whether no two elements are equal as JSON. Linear in the size of the array, because comparing all pairs of a long array can take
 * seconds.
 */
export const hasUniqueItems = (items: readonly unknown[]): boolean =>
  new Set(items.map(toCanonicalJson)).size === items.length;

const toCanonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) {
    // -0 and 0 are the same number, and JSON represents both as 0.
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(toCanonicalJson).join(",")}]`;
  }
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`);
  return `{${members.sort().join(",")}}`;
};
