import { describe, expect, test } from "vitest";
import { splitByDisplay, listSearches } from "./display-pairs.ts";
import { displayLimit } from "./search.ts";
import { toUsableSearches } from "./usable-search.ts";
import { comparedSearches, usableSearch } from "../../testing/compared-searches.ts";
import { limitHit, search } from "../../testing/searches.ts";

const incomplete = { skipped: [{ reason: "shard-timeout" }] };
const limited = { skipped: limitHit };

describe("searches with `display`", () => {
  test.each([
    { query: {}, display: 0 },
    { query: { display: "5" }, display: 5 },
    { query: { display: "0" }, display: 0 },
    { query: { display: "-1" }, display: 0 },
    { query: { display: "many" }, display: 0 },
  ])("with $query want $display matches", ({ query, display }) => {
    expect(displayLimit(usableSearch(search(query)).search)).toBe(display);
  });

  test("are separated from complete ones without it", () => {
    const sketches = [
      search({ display: "5" }, incomplete),
      search({ display: "0" }),
      search({ display: "-1" }),
      search({}, incomplete),
      search({}, limited),
      search({}),
    ];
    const { limitedSearches: bound, unlimitedSearches } = splitByDisplay(comparedSearches(sketches));
    expect([bound.map(({ id }) => id), unlimitedSearches.map(({ id }) => id)]).toEqual([["1"], ["3", "5", "6"]]);
  });

  test.each([
    { count: 1, shown: "search 1" },
    { count: 2, shown: "searches 1, 2" },
    { count: 4, shown: "searches 1, 2, 3" },
  ])("are called by name, $count of them", ({ count, shown }) => {
    const sketches = Array.from({ length: count }, () => search({}));
    expect(listSearches(toUsableSearches(comparedSearches(sketches)))).toBe(shown);
  });
});
