import { describe, expect, test } from "vitest";
import { limitsDisplay, limitsLineLength, requestsChunks, omitsChunks, searchKey, parseSearch } from "./search.ts";
import type { Search, SearchChanges } from "./search.ts";
import { exchangeRecord } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";

const searchFor = (sketch: ExchangeSketch): Search | undefined => parseSearch(exchangeRecord(sketch));

const parameters = (query: Readonly<Record<string, string>>): Search => ({
  credential: "access-token",
  path: "",
  parameters: new Map(Object.entries(query)),
});

describe("a search that can be compared", () => {
  test("is asked by somebody, somewhere, for something", () => {
    expect(searchFor({ query: { q: "a b", t: "regexp" }, credential: "none" })).toEqual({
      credential: "none",
      path: "http://code.example/.api/search/stream",
      parameters: new Map([
        ["q", "a b"],
        ["t", "regexp"],
      ]),
    });
  });

  test.each(["1", "t", "True"])("is the same whether it spells `cm` as %s or as true", (cm) => {
    const query = { q: "a", cm };
    expect(searchFor({ query })).toEqual(searchFor({ query: { ...query, cm: "true" } }));
    expect(searchFor({ query: { ...query, t: cm } })?.parameters.get("t")).toBe(cm);
  });

  test("may be asked by anybody where one search alone can break a rule", () => {
    const record = exchangeRecord({ query: { q: "a" }, credential: "unknown" });
    expect(parseSearch(record, true)?.parameters.get("q")).toBe("a");
  });

  test.each<{ name: string; sketch: ExchangeSketch }>([
    { name: "has a query", sketch: { query: { t: "regexp" } } },
    { name: "has a query that is not empty", sketch: { query: { q: " " } } },
    { name: "is not sent by nobody knows whom", sketch: { query: { q: "a" }, credential: "unknown" } },
    { name: "sets no parameter twice", sketch: { url: "http://code.example/?q=a&t=regexp&t=keyword" } },
    { name: "has an address", sketch: { url: "not an address" } },
  ])("$name", ({ sketch }) => {
    expect(searchFor(sketch)).toBeUndefined();
  });
});

describe("the key of a search", () => {
  const key = (sketch: ExchangeSketch, changes?: SearchChanges): string | undefined => {
    const search = searchFor(sketch);
    return search === undefined ? undefined : searchKey(search, changes);
  };
  const plain: ExchangeSketch = { query: { q: "a" } };

  test.each<{ name: string; same: ExchangeSketch; changes: SearchChanges }>([
    {
      name: "for any order of the parameters",
      same: { url: "http://code.example/.api/search/stream?t=b&q=a" },
      changes: { t: undefined },
    },
    { name: "with a parameter left out that is not there", same: plain, changes: { t: undefined } },
    { name: "with a parameter left out", same: { query: { q: "a", t: "regexp" } }, changes: { t: undefined } },
    { name: "with a parameter replaced", same: { query: { q: "b" } }, changes: { q: "a" } },
  ])("is the same $name", ({ same, changes }) => {
    expect(key(same, changes)).toBe(key(plain));
  });

  test("sorts parameters by name", () => {
    expect(key({ url: "http://code.example/?b=1&q=a&c=2" })).toBe(key({ url: "http://code.example/?c=2&b=1&q=a" }));
    expect(key({ url: "http://code.example/?q=a&c=2&b=1" })).toBe(key({ url: "http://code.example/?b=1&c=2&q=a" }));
  });

  test.each<{ name: string; other: ExchangeSketch }>([
    { name: "another query", other: { query: { q: "b" } } },
    { name: "one more parameter", other: { query: { q: "a", t: "" } } },
    { name: "another credential", other: { query: { q: "a" }, credential: "oauth-token" } },
    { name: "another target", other: { url: "http://other.example/.api/search/stream?q=a" } },
    { name: "another path", other: { url: "http://code.example/other?q=a" } },
  ])("is another one for $name", ({ other }) => {
    expect(key(other)).not.toBe(key(plain));
  });
});

describe("what a search says of its parameters", () => {
  test.each([
    { query: {}, binds: false },
    { query: { display: "-1" }, binds: false },
    { query: { display: "0" }, binds: true },
    { query: { display: "2" }, binds: true },
  ])("with $query its display is bound: $binds", ({ query, binds }) => {
    expect(limitsDisplay(parameters(query))).toBe(binds);
  });

  test.each([
    { query: {}, binds: false },
    { query: { "max-line-len": "-1" }, binds: false },
    { query: { "max-line-len": "0" }, binds: true },
    { query: { "max-line-len": "9" }, binds: true },
  ])("with $query its line length is bound: $binds", ({ query, binds }) => {
    expect(limitsLineLength(parameters(query))).toBe(binds);
  });

  test.each([
    { query: {}, on: false, off: true },
    { query: { cm: "false" }, on: false, off: true },
    { query: { cm: "true" }, on: true, off: false },
    { query: { cm: "yes" }, on: false, off: false },
    { query: { cm: "" }, on: false, off: false },
  ])("with $query chunk matches are on: $on, off: $off", ({ query, on, off }) => {
    expect([requestsChunks(parameters(query)), omitsChunks(parameters(query))]).toEqual([on, off]);
  });
});
