import { describe, expect, test } from "vitest";
import { exchangeRecord } from "../testing/judge-streams.ts";
import {
  requestsChunkMatches,
  hasDocumentedParameters,
  integerParameter,
  parameterKey,
  searchQuery,
} from "./search-query.ts";

const at = (url: string) => ({ record: exchangeRecord({ url }) });

describe("the parameters of a search", () => {
  test("come from its address", () => {
    expect([...searchQuery(at("http://code.example/?q=a%20b&t=c").record)]).toEqual([
      ["q", "a b"],
      ["t", "c"],
    ]);
  });

  test("are empty if the address cannot be parsed", () => {
    expect([...searchQuery(at("?q=a").record)]).toEqual([]);
  });

  test.each<{ text: string; integer: number | undefined }>([
    { text: "5", integer: 5 },
    { text: "-1", integer: -1 },
    { text: "0", integer: 0 },
    { text: "123456789", integer: 123_456_789 },
    { text: "1234567890", integer: undefined },
    { text: "", integer: undefined },
    { text: "-", integer: undefined },
    { text: "--1", integer: undefined },
    { text: "5 ", integer: undefined },
    { text: " 5", integer: undefined },
    { text: "5.5", integer: undefined },
    { text: "many", integer: undefined },
  ])("may be integers: `$text` is $integer", ({ text, integer }) => {
    expect(integerParameter(new Map([["display", text]]), "display")).toBe(integer);
  });

  test("are not integers if they are missing", () => {
    expect(integerParameter(new Map([["cl", "5"]]), "display")).toBeUndefined();
    expect(integerParameter(new URLSearchParams("cl=5"), "display")).toBeUndefined();
  });

  test("make two searches the same in any order, on any host", () => {
    expect(parameterKey(at("http://code.example/?q=a&t=b"))).toBe(parameterKey(at("http://other.example/?t=b&q=a")));
    expect(parameterKey(at("http://code.example/?q=a&t=b"))).not.toBe(parameterKey(at("http://code.example/?q=a")));
  });
});

test.each([
  { query: "?q=a", is: false },
  { query: "?q=a&cm=false", is: false },
  { query: "?q=a&cm=true", is: true },
  { query: "?cm=true&q=", is: true },
  { query: "?q=a&cm=true&cm=true", is: true },
  { query: "?q=a&cm=true&cm=false", is: undefined },
  { query: "?q=a&cm=t", is: true },
  { query: "?q=a&cm=TRUE", is: true },
  { query: "?q=a&cm=1", is: true },
  { query: "?q=a&cm=true&cm=1", is: true },
  { query: "?q=a&cm=true&cm=yes", is: undefined },
  { query: "?q=a&cm=F", is: false },
  { query: "?q=a&cm=0", is: false },
  { query: "?q=a&cm=yes", is: undefined },
  { query: "?q=a&cm=", is: undefined },
  { query: "?cm=true", is: undefined },
  { query: "", is: undefined },
])("a search with $query asks for chunk matches: $is", ({ query, is }) => {
  const url = `http://code.example/.api/search/stream${query}`;
  expect(requestsChunkMatches({ request: { method: "GET", url, headers: [] } })).toBe(is);
});

test.each([
  { query: "q=a", is: false },
  { query: "", is: false },
  { query: "q=a&v=V3", is: true },
  { query: "v=V3", is: true },
  { query: "q=a&v=v3", is: false },
  { query: "q=a&t=keyword", is: true },
  { query: "q=a&t=literal", is: false },
  { query: "q=a&cm=true", is: true },
  { query: "q=a&cm=false", is: true },
  { query: "q=a&cm=t", is: false },
  { query: "q=a&cm=untrue", is: false },
  { query: "q=a&cm=falsely", is: false },
  { query: "q=a&display=-1", is: true },
  { query: "q=a&display=0", is: true },
  { query: "q=a&display=123456789", is: true },
  { query: "q=a&display=1234567890", is: false },
  { query: "q=a&display=-2", is: false },
  { query: "q=a&display=-10", is: false },
  { query: "q=a&display=1.5", is: false },
  { query: "q=a&display=", is: false },
  { query: "q=a&max-line-len=-1", is: true },
  { query: "q=a&max-line-len=80", is: true },
  { query: "q=a&max-line-len=-2", is: false },
  { query: "q=a&cm=true&cl=0", is: true },
  { query: "q=a&cm=true&cl=12", is: true },
  { query: "q=a&cm=true&cl=-1", is: false },
  { query: "q=a&cm=true&cl=1a", is: false },
  { query: "q=a&cm=true&cl=a1", is: false },
  { query: "q=a&cm=true&sm=1", is: false },
  { query: "q=a&toString=1", is: false },
])("that $query sets documented parameters to documented values is $is", ({ query, is }) => {
  expect(hasDocumentedParameters(new URLSearchParams(query))).toBe(is);
});
