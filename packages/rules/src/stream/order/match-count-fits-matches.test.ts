import type { CredentialKind } from "@assay/evidence";
import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/match-count-fits-matches";
const query = { q: "test" };
const final = (matchCount: unknown, more: object = {}): string =>
  wireEvent("progress", { done: true, matchCount, durationMs: 1, ...more });
const running = (more: object): string => wireEvent("progress", { done: false, matchCount: 1, durationMs: 1, ...more });
const matches = (...elements: readonly unknown[]): string => wireEvent("matches", elements);
const file = (path: unknown): object => ({ type: "content", repository: "r", path });
const skipped = [{ reason: "shard-timeout" }];
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";
const saysNothing = "not observed";

test.each([
  { name: "matches and their count", body: matches({}) + final(7), is: holds },
  { name: "matches after the count", body: final(1) + matches({}), is: holds },
  { name: "matches and a count of 0", body: matches({}) + final(0), is: isBroken },
  { name: "matches after a count of 0", body: final(0) + matches({}), is: isBroken },
  { name: "matches, and 0 before the end alone", body: matches({}) + running({ matchCount: 0 }) + final(1), is: holds },
  {
    name: "there are matches in two files and a count of 1",
    body: matches(file("a"), file("b")) + final(1),
    is: isBroken,
  },
  { name: "there are matches in one file and a count of 1", body: matches(file("a"), file("a")) + final(1), is: holds },
  {
    name: "there are matches in files and paths, and a count of 1",
    body: matches(file("a"), { ...file("b"), type: "path" }) + final(1),
    is: holds,
  },
  { name: "there are matches in files without a name", body: matches(file(1), file(2)) + final(1), is: holds },
  { name: "matches and no number", body: matches({}) + final("0"), is: saysNothing },
  { name: "matches and no count", body: matches({}) + running({}), is: saysNothing },
  { name: "neither matches nor a count", body: matches() + final(0), is: saysNothing },
])("with $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query })).toBe(is);
});

test.each([
  { name: "nothing else", body: final(3), is: "broken 1 times, 0 observed" },
  { name: "empty matches", body: matches() + final(3), is: "broken 1 times, 0 observed" },
  { name: "events of another name", body: wireEvent("match", [{}]) + final(3), is: "broken 1 times, 0 observed" },
  {
    name: "an alert that informs",
    body: wireEvent("alert", { level: "info" }) + final(3),
    is: "broken 1 times, 0 observed",
  },
  { name: "a more severe alert", body: final(3) + wireEvent("alert", { level: "error" }), is: saysNothing },
  { name: "an error", body: final(3) + wireEvent("error", {}), is: saysNothing },
  { name: "a skipped entry", body: final(3, { skipped }), is: saysNothing },
  { name: "an earlier skipped entry", body: running({ skipped }) + final(3), is: saysNothing },
  { name: "matches that are not an array", body: wireEvent("matches", {}) + final(3), is: saysNothing },
  { name: "an event that lost its name", body: `data: [{}]\n\n${final(3)}`, is: saysNothing },
])("of counted matches that did not come, with $name, it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query })).toBe(is);
});

test.each<{ name: string; query: Readonly<Record<string, string>>; credential?: CredentialKind }>([
  { name: "that asked for none", query: { ...query, display: "0" } },
  { name: "with a limit", query: { ...query, display: "2" } },
  { name: "with `display=-1`", query: { ...query, display: "-1" } },
  { name: "whose query is not known", query: {} },
  { name: "that may be refused", query, credential: "unscoped-token" },
])("counted matches need not come to a search $name", ({ query: asked, credential = "access-token" }) => {
  expect(summarizeReport(id, { body: final(3) + doneEvent, query: asked, credential })).toBe(saysNothing);
});

test("a search that stops at its number may deliver more, and count what was asked for", () => {
  const body = matches(file("a"), file("b")) + final(1) + doneEvent;
  expect(summarizeReport(id, { body, query: { q: "test count:1" } })).toBe(holds);
  expect(summarizeReport(id, { body, query: { q: "test count:2" } })).toBe(isBroken);
});

test("counted matches that do not come are shown", () => {
  const { violations } = streamReport(id, { body: final(3) + doneEvent, query });
  expect(violations).toMatchObject([
    {
      code: "none-came",
      pointer: "/matchCount",
      message: "the final progress counts 3 matches, but none were sent in `matches`",
    },
  ]);
});

test("a count of 0 beside matches is shown", () => {
  const { violations } = streamReport(id, { body: matches({}) + final(0) + doneEvent, query });
  expect(violations).toMatchObject([
    { code: "counts-none", event: 1, message: "there are matches, but the final progress counts 0" },
  ]);
});
