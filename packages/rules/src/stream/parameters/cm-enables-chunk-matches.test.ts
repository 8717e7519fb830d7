import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/cm-enables-chunk-matches";
const query = { q: "a", cm: "true" };
const chunked = { type: "content", chunkMatches: [{ context: "a" }] };
const lined = { type: "content", lineMatches: [{ line: "a" }] };
const of = (path: string, match: object): object => ({ ...match, repository: "r", path });
const matches = (...elements: readonly unknown[]): string => wireEvent("matches", elements);
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";

test.each<{ name: string; body: string; is: string }>([
  { name: "chunk matches", body: matches(chunked) + doneEvent, is: holds },
  {
    name: "chunk there are matches in another form",
    body: matches({ type: "content", chunkMatches: [{ content: "a" }] }) + doneEvent,
    is: holds,
  },
  {
    name: "chunk matches under another name",
    body: matches({ type: "content", chunks: [{ context: "a" }] }) + doneEvent,
    is: holds,
  },
  { name: "one of many", body: matches(lined, lined) + matches(lined, chunked, lined) + doneEvent, is: holds },
  { name: "a file without, beside others", body: matches(of("a", chunked), of("b", lined)) + doneEvent, is: isBroken },
  { name: "a file in parts", body: matches(of("a", chunked)) + matches(of("a", lined)) + doneEvent, is: holds },
  { name: "a file in parts, lines first", body: matches(of("a", lined), of("a", chunked)) + doneEvent, is: holds },
  {
    name: "a file without lines, beside others",
    body: matches(of("a", chunked), of("b", { type: "content", lineMatches: [] })) + doneEvent,
    is: holds,
  },
  {
    name: "a file without, beside others, and a lost event",
    body: `${matches(of("a", chunked), of("b", lined))}event: matches\n\n${doneEvent}`,
    is: holds,
  },
  { name: "line matches", body: matches(lined) + doneEvent, is: isBroken },
  { name: "no chunk match in the array", body: matches({ ...lined, chunkMatches: [] }) + doneEvent, is: isBroken },
  {
    name: "chunk there are matches in another type",
    body: matches(lined, { ...chunked, type: "symbol" }) + doneEvent,
    is: isBroken,
  },
  { name: "no content match", body: matches({ type: "path" }) + doneEvent, is: "not observed" },
  { name: "no match", body: doneEvent, is: "not observed" },
  { name: "no `done`", body: matches(lined), is: "not observed" },
  { name: "two times `done`", body: matches(lined) + doneEvent + doneEvent, is: isBroken },
  { name: "a lost event", body: `${matches(lined)}event: matches\n\n${doneEvent}`, is: "not observed" },
  { name: "a lost event and chunk matches", body: `${matches(chunked)}event: matches\n\n${doneEvent}`, is: holds },
  {
    name: "matches that are not JSON",
    body: `${matches(lined)}event: matches\ndata: [\n\n${doneEvent}`,
    is: "not observed",
  },
  {
    name: "matches that are not an array",
    body: matches(lined) + wireEvent("matches", {}) + doneEvent,
    is: "not observed",
  },
])("of $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body, query })).toBe(is);
});

test.each<{ name: string; query: Readonly<Record<string, string>> }>([
  { name: "`cm` is left out", query: { q: "a" } },
  { name: "`cm` is false", query: { q: "a", cm: "false" } },
  { name: "`cm` is false in other words", query: { q: "a", cm: "f" } },
  { name: "`cm` is no boolean", query: { q: "a", cm: "yes" } },
  { name: "the query is unknown", query: { cm: "true" } },
])("nothing is said where $name", ({ query: asked }) => {
  expect(summarizeReport(id, { body: matches(lined) + doneEvent, query: asked })).toBe("not observed");
});

test.each(["t", "1", "TRUE", "True", "T"])("`cm=%s`, as the vendor's own programs spell it, is `cm=true`", (cm) => {
  expect(summarizeReport(id, { body: matches(lined) + doneEvent, query: { q: "a", cm } })).toBe(
    "broken 1 times, 1 observed",
  );
});

test("the number of content matches and the end of the stream are reported", () => {
  const { violations } = streamReport(id, {
    body: matches(lined, { type: "path" }) + matches(lined) + doneEvent,
    query,
  });
  expect(violations).toMatchObject([
    { event: 2, message: "none of 2 content matches has chunk matches although `cm` is true" },
  ]);
});
