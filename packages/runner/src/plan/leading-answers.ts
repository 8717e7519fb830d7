import type { RecordedExchange } from "@assay/evidence";
import { readEvents } from "./answer-events.ts";
import { memberOf } from "./pivot/matched-line.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Whether a search came to its end with fewer than so many matches, by what it delivered and by what it counts, and without a
 * limit: then it is not too much to ask for everything. Decides nothing else.
 */
export function foundAll(exchange: RecordedExchange, limit: number): boolean {
  let matches = 0;
  let final: unknown;
  readEvents(exchange, ({ name, value }) => {
    matches += name === "matches" ? listOf(value).length : 0;
    final = name === "progress" && memberOf(value, "done") === true ? value : final;
  });
  const counted = memberOf(final, "matchCount");
  const isCut = listOf(memberOf(final, "skipped")).some((entry) => memberOf(entry, "reason") === "shard-match-limit");
  return typeof counted === "number" && counted < limit && matches > 0 && matches < limit && !isCut;
}

/** Kinds of filters that keep all of a file or nothing of it. */
const kinds = ["repo", "lang"] as const;

/** Nothing that may end a line of a query or be too long for one. */
const plainFragment = /^[\x21-\x7e][\x20-\x7e]{0,300}$/u;

function suggestedValue(filters: readonly unknown[], kind: string): string | undefined {
  return filters
    .filter((filter) => memberOf(filter, "kind") === kind && Number(memberOf(filter, "count")) > 0)
    .map((filter) => memberOf(filter, "value"))
    .filter((value) => typeof value === "string")
    .find((value) => plainFragment.test(value));
}

/** Filters that the answer to a search of one file suggests, as they are added to its query; `undefined` where there are none. */
export function fragmentOf(exchange: RecordedExchange): string | undefined {
  let filters: readonly unknown[] = [];
  readEvents(exchange, ({ name, value }) => {
    filters = name === "filters" ? listOf(value) : filters;
  });
  const values = kinds.flatMap((kind) => suggestedValue(filters, kind) ?? []);
  return values.length === 0 ? undefined : values.join(" ");
}
