import type { ByteSpan } from "../ripgrep/file-hits.ts";

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/**
 * Where a literal text occurs in each name; names without it are absent. Without regard to case it folds letters as
 * ripgrep does (simple Unicode folding).
 */
export const literalSpans = (
  literal: string,
  names: readonly string[],
  caseSensitive: boolean,
): ReadonlyMap<string, readonly ByteSpan[]> => {
  const pattern = new RegExp(escaped(literal), caseSensitive ? "gu" : "giu");
  const found = new Map<string, readonly ByteSpan[]>();
  for (const name of names) {
    const spans = [...name.matchAll(pattern)].map(({ 0: text, index }): ByteSpan => {
      const start = Buffer.byteLength(name.slice(0, index));
      return [start, start + Buffer.byteLength(text)];
    });
    if (spans.length > 0) {
      found.set(name, spans);
    }
  }
  return found;
};
