import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/content-match-shows-lines";
const query = { q: "test" };
const bodyOf = (...matches: readonly unknown[]): string => wireEvent("matches", matches) + doneEvent;
const holds = "holds, 1 observed";

test.each<{ name: string; match: unknown; is: string }>([
  { name: "lines", match: { type: "content", lineMatches: [{}] }, is: holds },
  { name: "an empty list of lines", match: { type: "content", lineMatches: [] }, is: holds },
  { name: "chunk matches", match: { type: "content", parts: [{ context: "a" }] }, is: holds },
  { name: "a match of its path", match: { type: "content", pathMatches: [{}] }, is: "not observed" },
  { name: "nothing", match: { type: "content", pathMatches: [] }, is: "broken 1 times, 1 observed" },
  { name: "another type", match: { type: "path" }, is: "not observed" },
  { name: "no object", match: 1, is: "not observed" },
])("a match with $name: $is", ({ match, is }) => {
  expect(summarizeReport(id, { body: bodyOf(match), query })).toBe(is);
});

test.each([
  { name: "asks for chunk matches", query: { ...query, cm: "true" } },
  { name: "is not known", query: {} },
])("a search that $name need not show lines", ({ query: asked }) => {
  expect(summarizeReport(id, { body: bodyOf({ type: "content" }), query: asked })).toBe("not observed");
});

test("the first of an event is shown", () => {
  const { violations, observations } = streamReport(id, {
    body: bodyOf({ type: "content", lineMatches: [] }, { type: "content" }, { type: "content" }),
    query: { ...query, cm: "false" },
  });
  expect(observations).toBe(3);
  expect(violations).toMatchObject([{ pointer: "/1" }]);
  expect(violations).toHaveLength(1);
});
