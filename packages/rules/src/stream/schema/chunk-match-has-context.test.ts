import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/chunk-match-has-context";
const content = (more: object): object => ({ type: "content", ...more });
const events = (...arrays: readonly unknown[]): string =>
  arrays.map((data) => wireEvent("matches", data)).join("") + doneEvent;
const good = { context: "a" };
const bad = { content: "a" };

test.each<{ name: string; body: string; query?: Readonly<Record<string, string>>; is: string }>([
  {
    name: "a chunk match with its text",
    body: events([content({ chunkMatches: [good, good] })]),
    is: "holds, 2 observed",
  },
  { name: "an empty text", body: events([content({ chunkMatches: [{ context: "" }] })]), is: "holds, 1 observed" },
  { name: "line matches", body: events([content({ lineMatches: [{ line: "a" }] })]), is: "not observed" },
  { name: "no chunk matches in the array", body: events([content({ chunkMatches: [] })]), is: "not observed" },
  { name: "null for them", body: events([content({ chunkMatches: null })]), is: "not observed" },
  { name: "an object for them", body: events([content({ chunkMatches: { 0: bad } })]), is: "not observed" },
  {
    name: "elements that are no objects",
    body: events([content({ chunkMatches: [1, "a", null] })]),
    is: "not observed",
  },
  { name: "a match of another type", body: events([{ type: "symbol", chunkMatches: [bad] }]), is: "not observed" },
  { name: "data that is not an array", body: events({ chunkMatches: [bad] }), is: "not observed" },
  { name: "a number", body: events([content({ chunkMatches: [{ context: 3 }] })]), is: "broken 1 times, 1 observed" },
  {
    name: "two matches without in one event",
    body: events([content({ chunkMatches: [good, bad] }), content({ chunkMatches: [bad] })]),
    is: "broken 1 times, 3 observed",
  },
  {
    name: "one in each of two events",
    body: events([content({ chunkMatches: [bad] })], [content({ chunkMatches: [bad] })]),
    is: "broken 2 times, 2 observed",
  },
  { name: "another name nobody asked for", body: events([content({ chunks: [good] })]), is: "not observed" },
  {
    name: "another name that was asked for",
    body: events([content({ chunks: [good, good] })]),
    query: { q: "a", cm: "true" },
    is: "holds, 2 observed",
  },
  {
    name: "another name that was asked for, of which the first match tells",
    body: events([content({ chunks: [good] }), content({ chunks: [good, good] })], [content({ chunks: [good] })]),
    query: { q: "a", cm: "true" },
    is: "holds, 1 observed",
  },
])("of $name it says: $is", ({ body, query = {}, is }) => {
  expect(summarizeReport(id, { body, query })).toBe(is);
});

test.each([
  { name: "its text is elsewhere", chunk: { content: "x" }, message: /; its text is in `content`$/u },
  { name: "there is no text", chunk: { content: 3 }, message: /^a chunk match has no string `context`$/u },
])("the first one is reported with its position, and whether $name", ({ chunk, message }) => {
  const body = events([{ type: "path" }, content({ chunkMatches: [good, chunk] })]);
  const { violations } = streamReport(id, { body });
  expect(violations).toMatchObject([
    { event: 0, pointer: "/1/chunkMatches/1", message: expect.stringMatching(message) },
  ]);
});
