import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/display-bounds-matches";
const matches = (count: number): string =>
  wireEvent(
    "matches",
    Array.from({ length: count }, () => ({ type: "path" })),
  );

test.each([
  { name: "one match for a limit of one", display: "1", body: matches(1), is: "holds, 1 observed" },
  { name: "two matches for a limit of one", display: "1", body: matches(2), is: "broken 1 times, 1 observed" },
  {
    name: "more and more matches beyond the limit, once",
    display: "2",
    body: matches(2) + matches(1) + matches(3) + matches(1),
    is: "broken 1 times, 4 observed",
  },
  {
    name: "matches that are not an array",
    display: "1",
    body: wireEvent("matches", { length: 2 }),
    is: "not observed",
  },
])("of $name it says: $is", ({ display, body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent, query: { q: "words", display } })).toBe(is);
});

test("the place is the first match beyond the limit, however many follow", () => {
  const body = matches(1) + matches(3) + matches(1) + doneEvent;
  expect(streamReport(id, { body, query: { q: "words", display: "2" } }).violations).toMatchObject([
    { event: 1, pointer: "/1", message: "4 matches were returned although `display` is 2" },
  ]);
});
