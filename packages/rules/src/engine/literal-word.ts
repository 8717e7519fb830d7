import type { ExchangeRecord } from "@assay/evidence";
import { searchQuery } from "./search-query.ts";

/** Filters that narrow a search without changing the text that it searches for. */
const narrowingFilter = /^-?(?:count|repo|file|lang|archived|fork):\S*$/iu;

/** Operators, which are not searched for. */
const operators: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);

/**
 * Returns the one plain word that a query searches for, in lower case. Such a word means the same as text and as a regular
 * expression. Undefined if the query searches for anything else or is unclear.
 */
export function literalWordInQuery(q: string, type: string | undefined): string | undefined {
  const searchTerms = q.split(/\s+/u).filter((token) => token !== "" && !narrowingFilter.test(token));
  const [word = "", ...otherTerms] = searchTerms;
  const isPlain = /^\w{2,}$/u.test(word) && !operators.has(word.toUpperCase());
  return isPlain && otherTerms.length === 0 && type !== "keyword" ? word.toLowerCase() : undefined;
}

/** Like `literalWordInQuery`, for the query and pattern type of an exchange. */
export function literalWordInSearch(exchange: Pick<ExchangeRecord, "request">): string | undefined {
  const query = searchQuery(exchange);
  const types = query.getAll("t");
  return literalWordInQuery(query.get("q") ?? "", types.includes("keyword") ? "keyword" : types[0]);
}
