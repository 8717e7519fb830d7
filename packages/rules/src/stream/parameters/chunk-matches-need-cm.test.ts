import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/chunk-matches-need-cm";
const query = { q: "a" };
const chunked = { type: "content", chunkMatches: [{ context: "a" }] };
const lined = { type: "content", lineMatches: [{ line: "a" }] };
const named = { type: "content", chunks: [{ context: "a" }] };
const matches = (...elements: readonly unknown[]): string => wireEvent("matches", elements);

test.each<{ name: string; body: string; is: string }>([
  { name: "line matches", body: matches(lined, lined) + matches(lined), is: "holds, 3 observed" },
  { name: "an empty array", body: matches({ ...lined, chunkMatches: [] }), is: "holds, 1 observed" },
  { name: "null", body: matches({ ...lined, chunkMatches: null }), is: "holds, 1 observed" },
  { name: "an object", body: matches({ ...lined, chunkMatches: { 0: {} } }), is: "holds, 1 observed" },
  { name: "other types", body: matches({ type: "path" }, { ...chunked, type: "symbol" }, 3), is: "not observed" },
  { name: "a chunk match", body: matches(chunked), is: "broken 1 times, 1 observed" },
  { name: "one beside line matches", body: matches({ ...lined, ...chunked }), is: "broken 1 times, 1 observed" },
  { name: "a late one", body: matches(lined) + matches(lined, chunked, lined), is: "broken 1 times, 3 observed" },
  { name: "many", body: matches(chunked, chunked) + matches(chunked), is: "broken 1 times, 1 observed" },
  {
    name: "one in another member of the first match",
    body: matches({ type: "path" }, named),
    is: "broken 1 times, 1 observed",
  },
  {
    name: "one in another member of a later match",
    body: matches(lined, named) + matches(named),
    is: "holds, 3 observed",
  },
  { name: "data that is not an array", body: wireEvent("matches", { 0: chunked }), is: "not observed" },
])("of $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query })).toBe(is);
});

test.each<{ name: string; query: Readonly<Record<string, string>>; is: string }>([
  { name: "`cm` is false", query: { q: "a", cm: "false" }, is: "broken 1 times, 1 observed" },
  { name: "`cm` is true", query: { q: "a", cm: "true" }, is: "not observed" },
  { name: "`cm` is spelled in another way", query: { q: "a", cm: "1" }, is: "not observed" },
  { name: "`cm` is empty", query: { q: "a", cm: "" }, is: "not observed" },
  { name: "the query is unknown", query: {}, is: "not observed" },
])("where $name it says: $is", ({ query: asked, is }) => {
  expect(summarizeReport(id, { body: matches(chunked) + doneEvent, query: asked })).toBe(is);
});

test("the position of the first one is reported", () => {
  const { violations } = streamReport(id, { body: matches(lined) + matches(lined, chunked) + doneEvent, query });
  expect(violations).toMatchObject([
    { event: 1, pointer: "/1", message: "a content match has chunk matches although `cm` does not request them" },
  ]);
});
