import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/limit-suggestion-raises-count";
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";

const entry = (queryExpression: unknown): object => ({
  reason: "shard-match-limit",
  suggested: { title: "more", queryExpression },
});
const stream = (skipped: unknown, done: unknown = true): string => wireEvent("progress", { done, skipped }) + doneEvent;

test.each<{ name: string; skipped: unknown; is: string }>([
  { name: "the documented number", skipped: [entry("count:1000")], is: holds },
  { name: "all", skipped: [entry("count:all")], is: holds },
  { name: "another number", skipped: [entry("count:1")], is: isBroken },
  { name: "a number beyond all bounds", skipped: [entry(`count:${"9".repeat(400)}`)], is: holds },
  { name: "zero", skipped: [entry("count:0")], is: isBroken },
  { name: "another filter", skipped: [entry("archived:yes")], is: isBroken },
  { name: "more than the filter", skipped: [entry("test count:1000")], is: isBroken },
  { name: "something behind the filter", skipped: [entry("count:1000 test")], is: isBroken },
  { name: "another word", skipped: [entry("count:many")], is: isBroken },
  { name: "a negative number", skipped: [entry("count:-1")], is: isBroken },
  { name: "a number in place of text", skipped: [entry(1000)], is: isBroken },
  { name: "an array of the filter", skipped: [entry(["count:1000"])], is: isBroken },
  { name: "nothing", skipped: [{ reason: "shard-match-limit" }], is: isBroken },
  { name: "null", skipped: [{ reason: "shard-match-limit", suggested: null }], is: isBroken },
  {
    name: "something for another reason",
    skipped: [{ ...entry("fork:yes"), reason: "repository-fork" }],
    is: "not observed",
  },
  { name: "no entry", skipped: [], is: "not observed" },
  { name: "an object of entries", skipped: { 0: entry("count:0") }, is: "not observed" },
  { name: "two limits", skipped: [entry("count:0"), entry("x")], is: "broken 2 times, 2 observed" },
])("of $name it says: $is", ({ skipped, is }) => {
  expect(summarizeReport(id, { body: stream(skipped), query: { q: "test" } })).toBe(is);
});

test.each([false, null, "true"])("a progress whose `done` is %j is not asked", (done) => {
  expect(summarizeReport(id, { body: stream([entry("x")], done) })).toBe("not observed");
});

test.each<{ q: string; suggests: string; is: string }>([
  { q: "test count:50", suggests: "count:51", is: isBroken },
  { q: "test count:50", suggests: "count:50", is: isBroken },
  { q: "test count:50", suggests: "count:49", is: isBroken },
  { q: "COUNT:50", suggests: "count:50", is: isBroken },
  { q: "test count:50", suggests: "count:all", is: isBroken },
  { q: "test count:50", suggests: "count:1000", is: holds },
  { q: "test count:50", suggests: "count:5000", is: isBroken },
  { q: "test", suggests: "count:5000", is: holds },
  { q: "test count:1000", suggests: "count:2000", is: holds },
  { q: "test count:all", suggests: "count:1", is: isBroken },
  { q: `count:${"9".repeat(400)}`, suggests: "count:all", is: holds },
  { q: "count:50 count:5", suggests: "count:1", is: isBroken },
  { q: 'test "a count:50 b"', suggests: "count:1", is: isBroken },
  { q: "count: test", suggests: "count:1", is: isBroken },
  { q: "count:50x", suggests: "count:1", is: isBroken },
  { q: "count:50x", suggests: "count:0", is: isBroken },
  { q: "count:x50", suggests: "count:1", is: isBroken },
  { q: "count:x50", suggests: "count:0", is: isBroken },
  { q: "discount:50", suggests: "count:1", is: isBroken },
  { q: "test count:999", suggests: "count:1000", is: holds },
  { q: "test count:1000", suggests: "count:1000", is: "not observed" },
  { q: "test count:5000", suggests: "count:1000", is: "not observed" },
  { q: "test count:5000", suggests: "count:1001", is: isBroken },
])("of $suggests for the query $q it says: $is", ({ q, suggests, is }) => {
  expect(summarizeReport(id, { body: stream([entry(suggests)]), query: { q } })).toBe(is);
});

test("a number other than the documented one is recorded where that one would raise nothing", () => {
  const body = stream([entry("count:6000"), entry("count:1000"), entry("count:all")]);
  expect(streamReport(id, { body, query: { q: "test count:5000" } }).notes).toMatchObject([
    {
      code: "other-suggested-count",
      event: 0,
      pointer: "/skipped/0",
      message: "a `shard-match-limit` entry suggests `count:6000`",
    },
  ]);
});

test.each([
  { name: "nothing", suggested: undefined, message: "a `shard-match-limit` entry suggests nothing" },
  {
    name: "no filter for the count",
    suggested: { queryExpression: "lang:go" },
    message: "a `shard-match-limit` entry suggests `lang:go`, which is not a `count:` filter",
  },
  {
    name: "as much as was asked for",
    suggested: { queryExpression: "count:7" },
    message: "a `shard-match-limit` entry suggests `count:7` although `count:7` was requested",
  },
])("the sentence about an entry that suggests $name tells it and where it is", ({ suggested, message }) => {
  const body = stream([{ reason: "display" }, { reason: "shard-match-limit", suggested }]);
  const { violations } = streamReport(id, { body, query: { q: "test count:7" } });
  expect(violations).toMatchObject([{ event: 0, pointer: "/skipped/1", message }]);
});
