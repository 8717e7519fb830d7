import { describe, expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import { readSuggestedFragment, hasExhaustiveChoice, selectFilters } from "./suggested-filters.ts";

const answer = (...events: readonly (readonly unknown[])[]) =>
  recorded({ body: events.map((data) => `event: filters\ndata: ${JSON.stringify(data)}\n\n`).join("") });
const filter = (value: unknown, count: unknown = 1, more: object = {}): object => ({
  kind: /^[a-z]*/u.exec(String(value))?.[0],
  value,
  count,
  exhaustive: true,
  ...more,
});

describe("the filters that are tried", () => {
  test.each([
    {
      name: "each kind",
      filters: ["lang:go", "type:path", "archived:yes", "repo:a"],
      tried: "repo:a, lang:go, type:path, archived:yes",
    },
    { name: "no value twice", filters: ["lang:go", "lang:go"], tried: "lang:go" },
    { name: "letters beyond ASCII", filters: ["repo:größe", "lang:日本"], tried: "repo:größe, lang:日本" },
    { name: "no value of several lines", filters: ["lang:g\no", "lang:g\u2028o", "lang:g\u00a0o"], tried: "" },
    { name: "no overlong value", filters: [`lang:${"x".repeat(300)}`], tried: "" },
    { name: "no value that is not a string", filters: [7, null, { a: 1 }], tried: "" },
    { name: "no excluding filter", filters: ["-file:_test", "NOT lang:go", "notes:yes"], tried: "notes:yes" },
    { name: "no filter that the query has already", filters: ["count:1000", "COUNT:5", "lang:go"], tried: "lang:go" },
  ])("are of $name", ({ filters, tried }) => {
    expect(selectFilters(answer(filters.map((value) => filter(value))), "one count:200").join(", ")).toBe(tried);
  });

  test("are those of a kind with the lowest and the highest count", () => {
    const many = [5, 3, 1, 4, 2].map((count) => filter(`lang:${count}`, count));
    expect(selectFilters(answer(many), "one")).toEqual(["lang:1", "lang:5"]);
  });

  test("begin with those whose counts are exhaustive", () => {
    const some = filter("lang:a", 1, { exhaustive: false });
    expect(selectFilters(answer([some, filter("lang:b", 7)]), "one")).toEqual(["lang:b", "lang:a"]);
  });

  test.each([0, -1, "1", null])("count at least one match, not %j", (count) => {
    expect(selectFilters(answer([filter("lang:go", count)]), "one")).toEqual([]);
  });

  test("count at most three hundred matches", () => {
    expect(selectFilters(answer([filter("lang:a", 301), filter("lang:b", 300)]), "one")).toEqual(["lang:b"]);
  });

  test("are those suggested last, at most eight", () => {
    const kinds = ["a", "b", "c", "d", "e"].flatMap((kind) =>
      [1, 2, 3].map((count) => filter(`${kind}:${count}`, count)),
    );
    expect(selectFilters(answer([filter("lang:go")], kinds), "one")).toHaveLength(8);
    expect(selectFilters(answer([filter("lang:go")], [filter("lang:c")]), "one")).toEqual(["lang:c"]);
  });
});

test.each([
  { name: "one language and one repository", filters: [filter("lang:go"), filter("repo:a")], is: false },
  { name: "two languages", filters: [filter("lang:go"), filter("lang:c")], is: true },
  {
    name: "two whose counts may be too low",
    filters: ["lang:go", "lang:c"].map((one) => filter(one, 1, { exhaustive: false })),
    is: false,
  },
  { name: "two branches of a repository", filters: [filter("repo:a@b"), filter("repo:a@c")], is: false },
])("an exhaustive choice by $name: $is", ({ filters, is }) => {
  expect(hasExhaustiveChoice(answer(filters))).toBe(is);
});

test("one filter of each kind that keeps whole files is tried on one file", () => {
  const filters = ["type:path", "lang:go", "lang:c", "repo:a"].map((value) => filter(value));
  expect([readSuggestedFragment(answer(filters)), readSuggestedFragment(answer(filters.slice(0, 1)))]).toEqual([
    "repo:a lang:go",
    undefined,
  ]);
});
