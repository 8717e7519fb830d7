import type { Term } from "../query/expression.ts";
import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { escapeLiteralPattern, matchNames } from "../ripgrep/match-names.ts";
import type { SearchContext } from "./search-context.ts";

const escapeLiteral = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Finds spans of literal text in each name. Omits names without it. Ignores case by simple Unicode folding, like ripgrep. */
const findLiteralSpans = (
  literal: string,
  names: readonly string[],
  caseSensitive: boolean,
): ReadonlyMap<string, readonly ByteSpan[]> => {
  const pattern = new RegExp(escapeLiteral(literal), caseSensitive ? "gu" : "giu");
  const spansByName = new Map<string, readonly ByteSpan[]>();
  for (const name of names) {
    const spans = [...name.matchAll(pattern)].map(({ 0: text, index }): ByteSpan => {
      const start = Buffer.byteLength(name.slice(0, index));
      return [start, start + Buffer.byteLength(text)];
    });
    if (spans.length > 0) {
      spansByName.set(name, spans);
    }
  }
  return spansByName;
};

/** Returns a term as a pattern for ripgrep. */
export const toPattern = ({ kind, text }: Term): string => (kind === "literal" ? escapeLiteralPattern(text) : text);

export interface TermMatchOptions extends SearchContext {
  readonly terms: readonly Term[];
  readonly names: readonly string[];
  readonly caseSensitive: boolean;
}

const bySpanStart = (a: ByteSpan, b: ByteSpan): number => a[0] - b[0] || a[1] - b[1];

/** Names and spans that match each term. */
export type TermMatches = ReadonlyMap<Term, ReadonlyMap<string, readonly ByteSpan[]>>;

/** Searches names for terms. Throws RipgrepError for an invalid regular expression. */
export const matchTerms = async (options: TermMatchOptions): Promise<TermMatches> => {
  const { caseSensitive, names, pool, signal, terms } = options;
  const matchesByTerm = new Map<Term, ReadonlyMap<string, readonly ByteSpan[]>>();
  for (const term of terms) {
    const { kind, text } = term;
    matchesByTerm.set(
      term,
      kind === "literal"
        ? findLiteralSpans(text, names, caseSensitive)
        : await matchNames({ pattern: text, names, caseSensitive, pool, signal }),
    );
  }
  return matchesByTerm;
};

/** Returns the spans of `terms` in one name, sorted by start. */
export const findSpansInName = (name: string, termMatches: TermMatches, terms: readonly Term[]): readonly ByteSpan[] =>
  terms.flatMap((term) => termMatches.get(term)?.get(name) ?? []).toSorted(bySpanStart);
