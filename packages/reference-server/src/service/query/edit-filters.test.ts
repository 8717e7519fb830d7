import { describe, expect, test } from "vitest";
import { readFilterValues, withFilter, withoutFilter } from "./edit-filters.ts";

describe("a filter in a query", () => {
  test.each([
    { query: "needle", values: [], rest: "needle", changed: "needle count:7" },
    { query: "needle count:5", values: ["5"], rest: "needle", changed: "needle count:7" },
    { query: "count:5 needle", values: ["5"], rest: "needle", changed: "needle count:7" },
    { query: "a  count:all   b  c", values: ["all"], rest: "a b  c", changed: "a b  c count:7" },
    { query: "a COUNT:1 b count:2", values: ["1", "2"], rest: "a b", changed: "a b count:7" },
    { query: '"count:5" a', values: [], rest: '"count:5" a', changed: '"count:5" a count:7' },
    { query: "file:count:5 a", values: [], rest: "file:count:5 a", changed: "file:count:5 a count:7" },
    { query: "count:5", values: ["5"], rest: "", changed: "count:7" },
    { query: "", values: [], rest: "", changed: "count:7" },
  ])("is read, removed and replaced in $query", ({ changed, query, rest, values }) => {
    expect(readFilterValues(query, "count")).toEqual(values);
    expect(withoutFilter(query, "count")).toBe(rest);
    expect(withFilter(query, "count", 7)).toBe(changed);
  });
});
