import type { Term } from "../query/search-query.ts";
import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { literalPattern, matchNames } from "../ripgrep/match-names.ts";
import { literalSpans } from "./literal-spans.ts";
import type { SearchSurroundings } from "./search-surroundings.ts";

/** A term as a regular expression in ripgrep's syntax. */
export const termPattern = ({ kind, text }: Term): string => (kind === "literal" ? literalPattern(text) : text);

export interface TermMatching extends SearchSurroundings {
  readonly terms: readonly Term[];
  readonly names: readonly string[];
  readonly caseSensitive: boolean;
}

const bySpanStart = (one: ByteSpan, other: ByteSpan): number => one[0] - other[0] || one[1] - other[1];

/** For each term, which names have it and where. */
export const matchTerms = async (
  matching: TermMatching,
): Promise<readonly ReadonlyMap<string, readonly ByteSpan[]>[]> => {
  const { caseSensitive, names, pool, signal, terms } = matching;
  const found: ReadonlyMap<string, readonly ByteSpan[]>[] = [];
  for (const { kind, text } of terms) {
    found.push(
      kind === "literal"
        ? literalSpans(text, names, caseSensitive)
        : await matchNames({ pattern: text, names, caseSensitive, pool, signal }),
    );
  }
  return found;
};

/** The spans of all terms in one name, in order of their start. */
export const spansInName = (
  name: string,
  found: readonly ReadonlyMap<string, readonly ByteSpan[]>[],
): readonly ByteSpan[] => found.flatMap((spans) => spans.get(name) ?? []).toSorted(bySpanStart);
