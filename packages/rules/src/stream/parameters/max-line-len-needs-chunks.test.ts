import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, lineMatch, linesIn, said, search } from "../../testing/searches.ts";

const id = "stream/max-line-len-needs-chunks";
const long = "a line that is longer than ten";
const found = (text: string, query: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search(query, { matches: [linesIn("a", [lineMatch(7, text)])] });
const most = { "max-line-len": "10" };

describe("stream/max-line-len-needs-chunks", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "a line match holds the whole line", searches: [found(long), found(long, most)], is: "holds" },
    { name: "a line match is cut", searches: [found(long), found("a line tha", most)], is: "broken" },
    { name: "a line match is cut further", searches: [found(long), found("a line", most)], is: "broken" },
    { name: "it is cut elsewhere", searches: [found(long), found("a line that is", most)], is: "holds" },
    { name: "the line is another one", searches: [found(long), found("other", most)], is: "holds" },
    { name: "the line is short", searches: [found("short"), found("short", most)], is: "not observed" },
    {
      name: "no limit is asked for",
      searches: [found(long), found("a", { "max-line-len": "-1" })],
      is: "not observed",
    },
    { name: "there is no other search", searches: [found("a line tha", most)], is: "not observed" },
    {
      name: "chunk matches were asked for",
      searches: [found(long), found("a line tha", { ...most, cm: "true" })],
      is: "not observed",
    },
    {
      name: "another search has the limit -1",
      searches: [found(long, { "max-line-len": "-1" }), found("a line tha", most)],
      is: "broken",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says which line was cut", () => {
    expect(comparing(id, [found(long), found("a line tha", most)]).violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 with `max-line-len=10` has only the beginning of line 7 of `a` in a line match: `a line tha`",
      },
    ]);
  });
});
