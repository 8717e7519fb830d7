import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/repositories-count-fits-matches";
const query = { q: "test" };
const inRepository = (repository: unknown): object => ({ type: "content", repository });
const matches = wireEvent("matches", [inRepository("a"), inRepository("b"), inRepository("a")]);
const final = (repositoriesCount: unknown, skipped: readonly unknown[] = []): string =>
  wireEvent("progress", { done: true, matchCount: 3, repositoriesCount, skipped });
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";
const saysNothing = "not observed";

test.each([
  { name: "those of the matches", body: matches + final(2), is: holds },
  { name: "more", body: matches + final(9), is: isBroken },
  { name: "fewer, which another rule reports", body: final(1) + matches, is: holds },
  { name: "more, without archives", body: matches + final(9, [{ reason: "excluded-archive" }]), is: isBroken },
  { name: "more, after a limit", body: matches + final(9, [{ reason: "shard-match-limit" }]), is: saysNothing },
  { name: "more, and an alert", body: matches + final(9) + wireEvent("alert", {}), is: saysNothing },
  { name: "more, and a note", body: matches + final(9) + wireEvent("alert", { level: "info" }), is: isBroken },
  { name: "more, and an error", body: matches + final(9) + wireEvent("error", {}), is: saysNothing },
  { name: "more, and a lost event", body: `data: 1\n\n${matches}${final(9)}`, is: saysNothing },
  { name: "more, without matches", body: final(9), is: saysNothing },
  { name: "no number", body: matches + final("9"), is: saysNothing },
  {
    name: "more, and a path of no repository",
    body: matches + wireEvent("matches", [{ type: "path" }]) + final(9),
    is: saysNothing,
  },
  {
    name: "more, and a path of another repository",
    body: matches + wireEvent("matches", [{ type: "path", repository: "c" }]) + final(136),
    is: isBroken,
  },
  {
    name: "those of matches and paths",
    body: matches + wireEvent("matches", [{ type: "path", repository: "c" }]) + final(3),
    is: holds,
  },
  {
    name: "more, and one of none",
    body: matches + wireEvent("matches", [inRepository(1)]) + final(9),
    is: saysNothing,
  },
  {
    name: "more, and one of a name that was no text",
    body: matches + wireEvent("matches", [inRepository("a\uFFFD")]) + final(9),
    is: saysNothing,
  },
  { name: "more, and what is not an array", body: matches + wireEvent("matches", {}) + final(9), is: saysNothing },
])("a final progress that counts $name: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query })).toBe(is);
});

test.each([
  { name: "with a limit", query: { ...query, display: "2" }, is: saysNothing },
  { name: "that is not known", query: {}, is: saysNothing },
  { name: "with `display=-1`", query: { ...query, display: "-1" }, is: isBroken },
])("a search $name: $is", ({ query: asked, is }) => {
  expect(summarizeReport(id, { body: matches + final(9) + doneEvent, query: asked })).toBe(is);
});

test("both numbers are shown", () => {
  expect(streamReport(id, { body: matches + final(9) + doneEvent, query }).violations).toMatchObject([
    {
      pointer: "/repositoriesCount",
      message: "the final progress counts 9 repositories, but the matches are in 2",
    },
  ]);
});

test("of a stream with too many repositories nothing is said", () => {
  const many = wireEvent(
    "matches",
    Array.from({ length: 10_001 }, (_, index) => inRepository(String(index))),
  );
  expect(summarizeReport(id, { body: many + final(1) + doneEvent, query })).toBe(saysNothing);
});

const ofAnyType = wireEvent("matches", [inRepository("a"), { type: "commit", repository: "b" }]);

test.each([
  { name: "those of the matches", body: matches + final(2), is: holds },
  { name: "more", body: matches + final(9), is: holds },
  { name: "fewer", body: matches + final(1), is: isBroken },
  { name: "fewer than those of all types", body: ofAnyType + final(1), is: isBroken },
  { name: "none", body: matches + final(0), is: isBroken },
  { name: "fewer, after a limit", body: matches + final(1, [{ reason: "shard-match-limit" }]), is: isBroken },
  { name: "fewer, and what is not an array", body: matches + wireEvent("matches", {}) + final(1), is: isBroken },
  { name: "none, without matches", body: final(0), is: saysNothing },
  {
    name: "fewer than names that are not a string",
    body: wireEvent("matches", [inRepository("a\uFFFD"), inRepository(1)]) + final(0),
    is: saysNothing,
  },
  { name: "no number", body: matches + final("1"), is: saysNothing },
])("with there are matches in two repositories it counts $name: $is", ({ body, is }) => {
  expect(summarizeReport("stream/repositories-count-covers-matches", { body: body + doneEvent, query })).toBe(is);
});
