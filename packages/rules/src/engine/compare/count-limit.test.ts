import { describe, expect, test } from "vitest";
import { requestsAll, parseCountedSearch, haveDifferentLimits, countLimit } from "./count-limit.ts";
import type { Search } from "./search.ts";

const search = (q: string): Search => ({ credential: "none", path: "", parameters: new Map([["q", q]]) });

describe("how many matches a search wants", () => {
  test.each([
    { q: "a count:1", limit: 1, isAll: false },
    { q: "a count:999999999", limit: 999_999_999, isAll: false },
    { q: "a count:all", limit: Infinity, isAll: true },
    { q: "a COUNT:ALL", limit: Infinity, isAll: true },
    { q: "a", limit: Infinity, isAll: false },
  ])("is $limit for `$q`", ({ q, limit, isAll }) => {
    expect(parseCountedSearch(search(q))).toMatchObject({ limit, requestsAll: isAll });
    expect([countLimit(search(q)), requestsAll(search(q))]).toEqual([limit, isAll]);
  });

  test.each([
    "a count:0",
    "a count:01",
    "a count:-1",
    "a count:many",
    "a count:",
    "a count:1234567890",
    "a count:1 count:2",
    "a count:allx",
  ])("is unknown for `%s`", (q) => {
    expect(parseCountedSearch(search(q))).toBeUndefined();
    expect([countLimit(search(q)), requestsAll(search(q))]).toEqual([Infinity, false]);
  });

  test("is all that makes a difference to the key", () => {
    expect(parseCountedSearch(search("a count:5"))?.key).toBe(parseCountedSearch(search("a"))?.key);
    expect(parseCountedSearch(search("a count:5"))?.key).not.toBe(parseCountedSearch(search("b count:5"))?.key);
  });

  test.each([
    { queries: ["a count:5", "a count:5"], narrow: false },
    { queries: ["a count:all", "a"], narrow: false },
    { queries: ["a count:5", "a count:6"], narrow: true },
    { queries: ["a count:5", "a"], narrow: true },
    { queries: [], narrow: false },
  ])("differs among $queries: $narrow", ({ queries, narrow }) => {
    expect(haveDifferentLimits(queries.map(search))).toBe(narrow);
  });
});
