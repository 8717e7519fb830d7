import type { LoadQuery } from "@assay/results";

const maxLength = 32;

const shortName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, maxLength)
    .replace(/-+$/u, "") || "query";

/** Queries with short names for tables, each its own. */
export function namedQueries(texts: readonly string[]): readonly LoadQuery[] {
  const used = new Map<string, number>();
  return texts.map((text) => {
    const name = shortName(text);
    const number = (used.get(name) ?? 0) + 1;
    used.set(name, number);
    return { name: number === 1 ? name : `${name}-q${number}`, text };
  });
}
