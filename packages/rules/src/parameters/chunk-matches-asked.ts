import type { ExchangeRecord } from "@assay/evidence";
import { searchQuery } from "./search-query.ts";

/**
 * Whether a search asks for chunk matches: by default it does not. Undefined when `cm` is set to anything but `true` and
 * `false`, or to both, whose meaning is left open, and for a recording that does not tell its query.
 */
export function chunkMatchesAsked(exchange: Pick<ExchangeRecord, "request">): boolean | undefined {
  const query = searchQuery(exchange);
  const given = new Set(query.getAll("cm"));
  if (!query.has("q") || given.size > 1) {
    return undefined;
  }
  const [value = "false"] = given;
  return value === "true" ? true : value === "false" ? false : undefined;
}
