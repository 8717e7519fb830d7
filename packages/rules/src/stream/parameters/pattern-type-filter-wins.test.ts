import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, limitHit, linesIn, said, search } from "../../testing/searches.ts";

const id = "stream/pattern-type-filter-wins";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const asked = (q: string, t: string | undefined, ...matches: readonly object[]): ExchangeSketch =>
  search({ q, ...defined({ t }) }, { matches });
const filtered = (t: string | undefined, ...matches: readonly object[]): ExchangeSketch =>
  asked("te.t patternType:regexp", t, ...matches);
const free = (t: string | undefined, ...matches: readonly object[]): ExchangeSketch => asked("te.t", t, ...matches);
const none = undefined;

describe("stream/pattern-type-filter-wins", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    {
      name: "the filter counts",
      searches: [filtered(none, two), filtered("standard", two), free("standard"), filtered(none, two)],
      is: "holds",
    },
    {
      name: "the parameter counts",
      searches: [filtered(none, two), filtered("standard"), free("standard"), filtered(none, two)],
      is: "broken",
    },
    {
      name: "the parameter counts, and its type is what is meant without one",
      searches: [filtered(none, two), filtered("standard"), free(none), filtered(none, two)],
      is: "broken",
    },
    {
      name: "the parameter changes something",
      searches: [filtered(none, two), filtered("keyword", one), free("keyword"), filtered(none, two)],
      is: "broken",
    },
    {
      name: "the parameter says the same as the filter, and changes something",
      searches: [
        filtered(none, two),
        filtered("regexp", one),
        filtered("standard", two),
        free("regexp"),
        filtered(none, two),
      ],
      is: "not observed",
    },
    {
      name: "only another parameter was tried alone",
      searches: [filtered(none, two), filtered("keyword", one), free("standard"), free(none), filtered(none, two)],
      is: "not observed",
    },
    {
      name: "the parameter alone finds the same",
      searches: [filtered(none, two), filtered("standard", one), free("standard", two), filtered(none, two)],
      is: "not observed",
    },
    {
      name: "the parameter was not tried alone",
      searches: [filtered(none, two), filtered("standard"), filtered(none, two)],
      is: "not observed",
    },
    {
      name: "the parameter alone stopped at a limit",
      searches: [
        filtered(none, two),
        filtered("standard"),
        search({ q: "te.t", t: "standard" }, { skipped: limitHit }),
        filtered(none, two),
      ],
      is: "not observed",
    },
    {
      name: "both ask for the same",
      searches: [filtered(none, two), filtered("regexp"), free("regexp"), filtered(none, two)],
      is: "not observed",
    },
    {
      name: "both ask for the same, spelled otherwise",
      searches: [
        asked("te.t patterntype:RegExp", none, two),
        asked("te.t patterntype:RegExp", "regexp"),
        free("regexp"),
        asked("te.t patterntype:RegExp", none, two),
      ],
      is: "not observed",
    },
    {
      name: "the parameter asks for what nobody documented",
      searches: [filtered(none, two), filtered("structural"), free("structural"), filtered(none, two)],
      is: "not observed",
    },
    {
      name: "the filter asks for what nobody documented",
      searches: [
        asked("te.t patternType:literal", none, one),
        asked("te.t patternType:literal", "regexp", two),
        free("regexp", two),
        asked("te.t patternType:literal", none, one),
      ],
      is: "broken",
    },
    {
      name: "the search without the parameter was sent once",
      searches: [filtered(none, two), filtered("standard"), free("standard")],
      is: "not observed",
    },
    {
      name: "the search without the parameter changes",
      searches: [filtered(none, two), filtered("standard"), free("standard"), filtered(none, one)],
      is: "not observed",
    },
    {
      name: "there are two filters",
      searches: [filtered(none, two), filtered("standard"), free("standard"), filtered(none, two)].map((sketch) => ({
        ...sketch,
        query: { ...sketch.query, q: `${sketch.query?.["q"]} patterntype:keyword patterntype:regexp` },
      })),
      is: "not observed",
    },
    {
      name: "another filter was asked for without the parameter",
      searches: [
        asked("te.t patternType:keyword", none, two),
        filtered("standard"),
        free("standard"),
        asked("te.t patternType:keyword", none, two),
      ],
      is: "not observed",
    },
    {
      name: "the query is another one",
      searches: [filtered(none, two), filtered("standard"), asked("other", "standard"), filtered(none, two)],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says which searches and what differs", () => {
    const searches = [filtered(none, two), filtered("standard", one), free("standard"), filtered(none, two)];
    expect(comparing(id, searches).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `t=standard` finds other things than search 1 without it: it lacks line 2 of `a`",
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
    expect(comparing(id, searches).violations).toMatchObject([{ exchange: "4" }]);
    expect(comparing(id, searches).observations).toBe(2);
  });
});
