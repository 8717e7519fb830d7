import { expect, test } from "vitest";
import { chunkMatchesAsked } from "./chunk-matches-asked.ts";

test.each([
  { query: "?q=a", is: false },
  { query: "?q=a&cm=false", is: false },
  { query: "?q=a&cm=true", is: true },
  { query: "?cm=true&q=", is: true },
  { query: "?q=a&cm=true&cm=true", is: true },
  { query: "?q=a&cm=true&cm=false", is: undefined },
  { query: "?q=a&cm=t", is: undefined },
  { query: "?q=a&cm=TRUE", is: undefined },
  { query: "?q=a&cm=", is: undefined },
  { query: "?cm=true", is: undefined },
  { query: "", is: undefined },
])("a search with $query asks for chunk matches: $is", ({ query, is }) => {
  const url = `http://code.example/.api/search/stream${query}`;
  expect(chunkMatchesAsked({ request: { method: "GET", url, headers: [] } })).toBe(is);
});
