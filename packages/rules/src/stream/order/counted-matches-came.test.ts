import type { CredentialKind } from "@assay/evidence";
import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";
import { chunksIn, linesIn, pathMatch } from "../../testing/searches.ts";

const id = "stream/counted-matches-came";
const final = (matchCount: unknown, more: object = {}): string =>
  wireEvent("progress", { done: true, matchCount, durationMs: 1, ...more });
const found = (...matches: readonly unknown[]): string => wireEvent("matches", matches);
const two = found(linesIn("a", [1, 2]));
const marked = (...offsets: readonly number[]): unknown => ({
  line: "words words words",
  lineNumber: 1,
  offsetAndLengths: offsets.map((offset) => [offset, 5]),
});
const skipped = [{ reason: "excluded-archive" }];
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";
const saysNothing = "not observed";

test.each([
  { name: "as many as lines", body: two + final(2), is: holds },
  { name: "fewer than lines", body: two + final(1), is: holds },
  { name: "more than lines", body: two + final(3), is: isBroken },
  { name: "as many as highlights", body: found(linesIn("a", [marked(0, 6, 12)])) + final(3), is: holds },
  { name: "more than highlights", body: found(linesIn("a", [marked(0, 6, 12)])) + final(4), is: isBroken },
  {
    name: "as many as ranges of chunks",
    body: found({ ...chunksIn("a", []), chunkMatches: [{ context: "", ranges: [{}, {}] }] }) + final(2),
    is: holds,
  },
  {
    name: "more than ranges of chunks",
    body: found({ ...chunksIn("a", []), chunkMatches: [{ context: "", ranges: [{}, {}] }] }) + final(3),
    is: isBroken,
  },
  {
    name: "those in several branches",
    body: found({ ...linesIn("a", [1]), branches: ["b", "c"] }) + final(2),
    is: holds,
  },
  { name: "those of the path too", body: found({ ...linesIn("a", [1]), pathMatches: [{}, {}] }) + final(3), is: holds },
  {
    name: "more in a progress before",
    body: wireEvent("progress", { done: false, matchCount: 9 }) + two + final(2),
    is: holds,
  },
  { name: "chunks that tell no ranges", body: found(chunksIn("a", ["words"])) + final(9), is: saysNothing },
  { name: "lines that mark nothing", body: found(linesIn("a", [marked()])) + final(9), is: saysNothing },
  { name: "no lines", body: found(linesIn("a", [])) + final(9), is: saysNothing },
  { name: "hunks", body: found({ ...linesIn("a", [1]), hunks: [{}] }) + final(9), is: saysNothing },
  { name: "there are matches in paths", body: found(pathMatch("a")) + final(9), is: saysNothing },
  { name: "unreadable matches", body: two + wireEvent("matches", {}) + final(9), is: saysNothing },
  { name: "no matches", body: final(9), is: saysNothing },
  { name: "something skipped", body: two + final(9, { skipped }), is: saysNothing },
  { name: "a problem", body: wireEvent("alert", { level: "error" }) + two + final(9), is: saysNothing },
  { name: "an error", body: two + final(9) + wireEvent("error", {}), is: saysNothing },
  { name: "an event that lost its name", body: `data: [{}]\n\n${two}${final(9)}`, is: saysNothing },
])("of a search that counts $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query: { q: "words" } })).toBe(is);
});

test.each<{ query: Readonly<Record<string, string>>; credential?: CredentialKind; is: string }>([
  { query: { q: "words" }, is: isBroken },
  { query: { q: "words count:200" }, is: isBroken },
  { query: { q: "words count:all", display: "-1" }, is: isBroken },
  { query: { q: "words count:9" }, is: saysNothing },
  { query: { q: "words count:many" }, is: isBroken },
  { query: { q: "words", display: "2" }, is: saysNothing },
  { query: { q: "two words" }, is: saysNothing },
  { query: { q: "wor.s", t: "regexp" }, is: saysNothing },
  { query: {}, is: saysNothing },
])("asked for $query it says: $is", ({ query, is }) => {
  expect(summarizeReport(id, { body: two + final(9) + doneEvent, query })).toBe(is);
});

test("says how many came", () => {
  const { violations } = streamReport(id, { body: two + final(4) + doneEvent, query: { q: "words" } });
  const message =
    "the final progress event reports 4 matches and nothing was skipped, but the stream contains at most 2, whether counted as elements, lines or ranges";
  expect(violations).toMatchObject([{ message, event: 1, pointer: "/matchCount" }]);
});
