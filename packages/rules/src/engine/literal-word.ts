import type { ExchangeRecord } from "@assay/evidence";
import { searchQuery } from "./search-query.ts";

/** Filters that narrow a search without changing the text that it searches for. */
const narrowing = /^-?(?:count|repo|file|lang|archived|fork):\S*$/iu;

/** Operators, which are not searched for. */
const joining: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);

/**
 * The one plain word that a query searches for, in lower case. Such a word means the same as text and as a regular
 * expression. Undefined if the query searches for anything else or is unclear.
 */
export function wordOfQuery(q: string, type: string | undefined): string | undefined {
  const searched = q.split(/\s+/u).filter((token) => token !== "" && !narrowing.test(token));
  const [word = "", ...others] = searched;
  const isPlain = /^\w{2,}$/u.test(word) && !joining.has(word.toUpperCase());
  return isPlain && others.length === 0 && type !== "keyword" ? word.toLowerCase() : undefined;
}

/** The one plain word that a search looks for. */
export function literalWord(exchange: Pick<ExchangeRecord, "request">): string | undefined {
  const query = searchQuery(exchange);
  const types = query.getAll("t");
  return wordOfQuery(query.get("q") ?? "", types.includes("keyword") ? "keyword" : types[0]);
}
