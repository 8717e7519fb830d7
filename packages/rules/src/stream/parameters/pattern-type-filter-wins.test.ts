import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, limitHit, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/pattern-type-filter-wins";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const asked = (q: string, t: string | undefined, ...matches: readonly object[]): ExchangeSketch =>
  search({ q, ...defined({ t }) }, { matches });
const filtered = (t: string | undefined, ...matches: readonly object[]): ExchangeSketch =>
  asked("te.t patternType:regexp", t, ...matches);
const free = (t: string | undefined, ...matches: readonly object[]): ExchangeSketch => asked("te.t", t, ...matches);
const none = undefined;

describe("stream/pattern-type-filter-wins", () => {
  test.each(
    rowsOf({
      holds: {
        "the default in the query counts, and nothing sets it elsewhere": [
          free(none, one),
          asked("te.t patternType:standard", "keyword", one),
          free("keyword", two),
          free(none, one),
        ],
        "the filter counts": [filtered(none, two), filtered("standard", two), free("standard"), filtered(none, two)],
      },
      broken: {
        "the parameter counts although the query has the default": [
          free(none, one),
          asked("te.t patternType:standard", "keyword", two),
          free("keyword", two),
          free(none, one),
        ],
        "the parameter counts": [filtered(none, two), filtered("standard"), free("standard"), filtered(none, two)],
        "the parameter counts, and its type is what is meant without one": [
          filtered(none, two),
          filtered("standard"),
          free(none),
          filtered(none, two),
        ],
        "the parameter changes something": [
          filtered(none, two),
          filtered("keyword", one),
          free("keyword"),
          filtered(none, two),
        ],
        "the filter asks for what nobody documented": [
          asked("te.t patternType:literal", none, one),
          asked("te.t patternType:literal", "regexp", two),
          free("regexp", two),
          asked("te.t patternType:literal", none, one),
        ],
      },
      "not observed": {
        "the parameter says the same as the filter, and changes something": [
          filtered(none, two),
          filtered("regexp", one),
          filtered("standard", two),
          free("regexp"),
          filtered(none, two),
        ],
        "only another parameter was tried alone": [
          filtered(none, two),
          filtered("keyword", one),
          free("standard"),
          free(none),
          filtered(none, two),
        ],
        "the parameter alone finds the same": [
          filtered(none, two),
          filtered("standard", one),
          free("standard", two),
          filtered(none, two),
        ],
        "the parameter was not tried alone": [filtered(none, two), filtered("standard"), filtered(none, two)],
        "the parameter alone stopped at a limit": [
          filtered(none, two),
          filtered("standard"),
          search({ q: "te.t", t: "standard" }, { skipped: limitHit }),
          filtered(none, two),
        ],
        "both ask for the same": [filtered(none, two), filtered("regexp"), free("regexp"), filtered(none, two)],
        "both ask for the same, spelled otherwise": [
          asked("te.t patterntype:RegExp", none, two),
          asked("te.t patterntype:RegExp", "regexp"),
          free("regexp"),
          asked("te.t patterntype:RegExp", none, two),
        ],
        "the parameter asks for what nobody documented": [
          filtered(none, two),
          filtered("structural"),
          free("structural"),
          filtered(none, two),
        ],
        "the search without the parameter was sent once": [filtered(none, two), filtered("standard"), free("standard")],
        "the search without the parameter changes": [
          filtered(none, two),
          filtered("standard"),
          free("standard"),
          filtered(none, one),
        ],
        "there are two filters": [filtered(none, two), filtered("standard"), free("standard"), filtered(none, two)].map(
          (sketch) => ({
            ...sketch,
            query: { ...sketch.query, q: `${sketch.query?.["q"]} patterntype:keyword patterntype:regexp` },
          }),
        ),
        "another filter was asked for without the parameter": [
          asked("te.t patternType:keyword", none, two),
          filtered("standard"),
          free("standard"),
          asked("te.t patternType:keyword", none, two),
        ],
        "the query is another one": [
          filtered(none, two),
          filtered("standard"),
          asked("other", "standard"),
          filtered(none, two),
        ],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says which searches and what differs", () => {
    const searches = [filtered(none, two), filtered("standard", one), free("standard"), filtered(none, two)];
    expect(reportOf(id, searches).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `t=standard` finds different results from search 1 without it: it lacks line 2 of `a`",
      },
    ]);
  });

  test("judges each filter for itself", () => {
    const other = (t: string | undefined, ...matches: readonly object[]): ExchangeSketch =>
      asked("te.t patternType:keyword", t, ...matches);
    const searches = [
      filtered(none, two),
      other(none, one),
      filtered("standard", two),
      other("standard", two),
      free("standard"),
      filtered(none, two),
      other(none, one),
    ];
    expect(reportOf(id, searches).violations).toMatchObject([{ exchange: "4" }]);
    expect(reportOf(id, searches).observations).toBe(2);
  });
});
