import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const rule = "stream/path-ranges-stay-in-the-path";
const path = "src/größe.ts";
const at = (offset: unknown) => ({ offset, line: 0, column: offset });
const bodyOf = (pathMatches: unknown, match: object = {}): string =>
  wireEvent("matches", [{ type: "content", path, pathMatches, ...match }]) + doneEvent;
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";

test.each<{ name: string; ranges: unknown; match?: object; outcome: string }>([
  { name: "a part of the path", ranges: [{ start: at(4), end: at(9) }], outcome: holds },
  { name: "all of it, in bytes", ranges: [{ start: at(0), end: at(14) }], outcome: holds },
  { name: "all of it, counted from 1, with its end", ranges: [{ start: at(1), end: at(16) }], outcome: holds },
  { name: "nothing", ranges: [{ start: at(3), end: at(3) }], outcome: holds },
  { name: "more than the path", ranges: [{ start: at(4), end: at(17) }], outcome: isBroken },
  { name: "what lies behind the path", ranges: [{ start: at(5000), end: at(5004) }], outcome: isBroken },
  { name: "backwards", ranges: [{ start: at(9), end: at(4) }], outcome: isBroken },
  { name: "no ranges", ranges: [], outcome: "not observed" },
  { name: "no list", ranges: null, outcome: "not observed" },
  { name: "no numbers", ranges: [{ start: at("4"), end: at(9) }], outcome: "not observed" },
  { name: "something of no path", ranges: [{ start: at(9), end: at(4) }], match: { path: 1 }, outcome: "not observed" },
  {
    name: "something of another type",
    ranges: [{ start: at(9), end: at(4) }],
    match: { type: "path" },
    outcome: "not observed",
  },
])("a match that marks $name", ({ ranges, match, outcome }) => {
  expect(summarizeReport(rule, { body: bodyOf(ranges, match) })).toBe(outcome);
});

test("the first range of an event that is wrong is shown", () => {
  const ranges = [
    { start: at(0), end: at(3) },
    { start: at(3), end: at(90) },
  ];
  expect(streamReport(rule, { body: bodyOf(ranges) }).violations).toMatchObject([
    {
      pointer: "/0/pathMatches/1",
      message: "the range of the path from 3 to 90 ends beyond its path, which has 14 bytes",
    },
  ]);
});
