import type { ExchangeRecord } from "@assay/evidence";
import { searchQuery } from "./search-query.ts";

/** Filters that narrow a search without changing the text that it searches for. */
const narrowingFilter = /^-?(?:count|repo|file|lang|archived|fork):\S*$/iu;

/** Operators, which are not searched for. */
const operators: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);

/**
 * Returns the single literal word that a query searches for, in lower case. Such a word means the same as text and as a
 * regular expression. It returns undefined if the query searches for anything else.
 */
export function literalWordInQuery(q: string, type: string | undefined): string | undefined {
  const searchTerms = q.split(/\s+/u).filter((token) => token !== "" && !narrowingFilter.test(token));
  const [word = "", ...otherTerms] = searchTerms;
  const isLiteral = /^\w{2,}$/u.test(word) && !operators.has(word.toUpperCase());
  return isLiteral && otherTerms.length === 0 && type !== "keyword" ? word.toLowerCase() : undefined;
}

/** Returns the single literal word that the query of an exchange searches for, if any. See `literalWordInQuery`. */
export function literalWordInSearch(exchange: Pick<ExchangeRecord, "request">): string | undefined {
  const query = searchQuery(exchange);
  const types = query.getAll("t");
  return literalWordInQuery(query.get("q") ?? "", types.includes("keyword") ? "keyword" : types[0]);
}
