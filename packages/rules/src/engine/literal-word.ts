import type { ExchangeRecord } from "@assay/evidence";
import { searchQuery } from "./search-query.ts";

/** Filters that narrow a search and change nothing of what is looked for in a line. */
const narrowing = /^-?(?:count|repo|file|lang|archived|fork):\S*$/iu;

/** Words that join others, and so are none themselves. */
const joining: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);

/**
 * The one plain word that a query of this pattern type looks for, in lower case, which means the same as a text and as a regular
 * expression; `undefined` where it looks for anything else, or where that is not known.
 */
export function wordOfQuery(q: string, type: string | undefined): string | undefined {
  const sought = q.split(/\s+/u).filter((token) => token !== "" && !narrowing.test(token));
  const [word = "", ...others] = sought;
  const isPlain = /^\w{2,}$/u.test(word) && !joining.has(word.toUpperCase());
  return isPlain && others.length === 0 && type !== "keyword" ? word.toLowerCase() : undefined;
}

/** The one plain word that a search looks for. */
export function literalWord(exchange: Pick<ExchangeRecord, "request">): string | undefined {
  const query = searchQuery(exchange);
  const types = query.getAll("t");
  return wordOfQuery(query.get("q") ?? "", types.includes("keyword") ? "keyword" : types[0]);
}
