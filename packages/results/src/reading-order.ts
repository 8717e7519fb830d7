/** A replacer for `JSON.stringify` that writes the members of every object in a fixed order. */
export type Replacer = (name: string, value: unknown) => unknown;

/** Writes members in the order of `names`; other members follow in alphabetical order. */
export function inReadingOrder(names: readonly string[]): Replacer {
  const ranks = new Map(names.map((name, index) => [name, index]));
  const rankOf = (name: string): number => ranks.get(name) ?? names.length;
  const byRank = ([a]: [string, unknown], [b]: [string, unknown]): number => {
    const difference = rankOf(a) - rankOf(b);
    return difference === 0 && a !== b ? (a < b ? -1 : 1) : difference;
  };
  return (_name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(byRank))
      : value;
}
