import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, lineMatch, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/max-line-len-needs-chunks";
const long = "a line that is longer than ten";
const found = (text: string, query: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search(query, { matches: [linesIn("a", [lineMatch(7, text)])] });
const most = { "max-line-len": "10" };

describe("stream/max-line-len-needs-chunks", () => {
  test.each(
    rowsOf({
      holds: {
        "a line match holds the whole line": [found(long), found(long, most)],
        "it is cut elsewhere": [found(long), found("a line that is", most)],
        "the line is another one": [found(long), found("other", most)],
      },
      broken: {
        "a line match is cut": [found(long), found("a line tha", most)],
        "a line match is cut further": [found(long), found("a line", most)],
        "another search has the limit -1": [found(long, { "max-line-len": "-1" }), found("a line tha", most)],
      },
      "not observed": {
        "the line is short": [found("short"), found("short", most)],
        "no limit is asked for": [found(long), found("a", { "max-line-len": "-1" })],
        "there is no other search": [found("a line tha", most)],
        "chunk matches were asked for": [found(long), found("a line tha", { ...most, cm: "true" })],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says which line was cut", () => {
    expect(reportOf(id, [found(long), found("a line tha", most)]).violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 with `max-line-len=10` has only the beginning of line 7 of `a` in a line match: `a line tha`",
      },
    ]);
  });
});
