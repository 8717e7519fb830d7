import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { wireEvent } from "../../testing/stream-report.ts";
import { reportOf, linesIn, describeReport, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/suggested-filter-finds-matches";

const at = (commit: string, path = "a"): object => ({ ...linesIn(path, [1]), commit });
const filter = (value: unknown, count: unknown = 1): object => ({
  value,
  label: "",
  count,
  exhaustive: true,
  kind: "lang",
});
const suggesting = (...filters: readonly object[]): string => wireEvent("filters", filters);
const go = suggesting(filter("repo:a"), filter("lang:go"));

/** A search of one file, sent at this time. */
const base = (sentAtMicros: number, found: FoundSketch = {}): ExchangeSketch =>
  search({ q: "one" }, { matches: [at("c")], before: go, ...found }, { sentAtMicros });
const narrowed = (sentAtMicros: number, found: FoundSketch = {}, added = "lang:go"): ExchangeSketch =>
  search({ q: `one ${added}` }, found, { sentAtMicros });

/** `count` other searches that met the same state. */
const others = (count: number, commit = "c"): readonly ExchangeSketch[] =>
  Array.from({ length: count }, (_, index) => search({ q: `other ${index}` }, { matches: [at(commit)] }));

const around = (...between: readonly ExchangeSketch[]): readonly ExchangeSketch[] => [base(10), ...between, base(20)];
const inVain = around(narrowed(12), narrowed(15));
const nothing = { matches: [] };
const twoFiles = [at("c"), at("c", "b")];

describe("stream/suggested-filter-finds-matches", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "it finds nothing", searches: inVain, is: "broken" },
    {
      name: "it finds the file",
      searches: around(narrowed(12, { matches: [at("c")] }), narrowed(15, { matches: [at("c")] })),
      is: "holds",
    },
    {
      name: "it finds nothing, after many repeated searches with another parameter",
      searches: [
        ...Array.from({ length: 200 }, (_, index) =>
          search({ q: `other ${index % 100}`, cm: "true" }, { matches: [at("c")] }),
        ),
        ...inVain,
      ],
      is: "broken",
    },
    {
      name: "it finds something once",
      searches: around(narrowed(12), narrowed(15, { matches: [at("c")] })),
      is: "holds",
    },
    { name: "it was sent once", searches: around(narrowed(12)), is: "not observed" },
    {
      name: "two filters find nothing",
      searches: around(...[12, 15].map((time) => narrowed(time, nothing, "repo:a lang:go"))),
      is: "broken",
    },
    {
      name: "it is no filter that was suggested",
      searches: around(...[12, 15].map((time) => narrowed(time, nothing, "lang:c"))),
      is: "not observed",
    },
    {
      name: "three were added",
      searches: around(...[12, 15].map((time) => narrowed(time, nothing, "repo:a lang:go lang:go"))),
      is: "not observed",
    },
    {
      name: "it counts no match",
      searches: [10, 20]
        .map((time) => base(time, { before: suggesting(filter("lang:go", 0)) }))
        .concat(inVain.slice(1, 3)),
      is: "not observed",
    },
    {
      name: "its count is none",
      searches: [10, 20]
        .map((time) => base(time, { before: suggesting(filter("lang:go", "1")) }))
        .concat(inVain.slice(1, 3)),
      is: "not observed",
    },
    {
      name: "it was suggested no more in the end",
      searches: [10, 20]
        .map((time) => base(time, { before: go + suggesting(filter("lang:c")) }))
        .concat(inVain.slice(1, 3)),
      is: "not observed",
    },
    {
      name: "it ends in an error",
      searches: around(...[12, 15].map((time) => narrowed(time, { before: wireEvent("alert", { level: "error" }) }))),
      is: "broken",
    },
    ...[{ level: "warning" }, { level: "info" }, { title: "No such repository" }].map((alert) => ({
      name: `it ends in the alert ${JSON.stringify(alert)}, and finds nothing`,
      searches: around(...[12, 15].map((time) => narrowed(time, { before: wireEvent("alert", alert) }))),
      is: "broken",
    })),
    {
      name: "it reported an error in an event that the specification does not list",
      searches: around(...[12, 15].map((time) => narrowed(time, { before: wireEvent("error", {}) }))),
      is: "holds",
    },
    {
      name: "a warning reports a problem, and a skipped entry of what it left out",
      searches: around(
        ...[12, 15].map((time) =>
          narrowed(time, { before: wireEvent("alert", { level: "warning" }), skipped: [{ reason: "shard-timeout" }] }),
        ),
      ),
      is: "holds",
    },
    {
      name: "it is refused",
      searches: around(...[12, 15].map((time) => ({ ...narrowed(time), status: 400 }))),
      is: "broken",
    },
    {
      name: "the target was too busy",
      searches: around(...[12, 15].map((time) => ({ ...narrowed(time), status: 503 }))),
      is: "holds",
    },
    {
      name: "it reported a problem",
      searches: around(...[12, 15].map((time) => narrowed(time, { skipped: [{ reason: "shard-timeout" }] }))),
      is: "holds",
    },
    { name: "it was sent before the other", searches: around(narrowed(9), narrowed(15)), is: "not observed" },
    { name: "it was sent after the other", searches: around(narrowed(12), narrowed(21)), is: "not observed" },
    {
      name: "the other found something else",
      searches: [base(10), ...inVain.slice(1, 3), base(20, { matches: [at("c", "b")] })],
      is: "not observed",
    },
    {
      name: "the other found two files, of one of which the filter counts a match",
      searches: [10, 20].map((time) => base(time, { matches: twoFiles })).concat(inVain.slice(1, 3)),
      is: "broken",
    },
    {
      name: "two filters find nothing, each of which may keep another file",
      searches: [10, 20]
        .map((time) => base(time, { matches: twoFiles }))
        .concat([12, 15].map((time) => narrowed(time, nothing, "repo:a lang:go"))),
      is: "not observed",
    },
    {
      name: "the other found files of a repository that nobody else knows",
      searches: [10, 20]
        .map((time) => base(time, { matches: [at("c"), { ...at("e", "b"), repository: "other" }] }))
        .concat(inVain.slice(1, 3)),
      is: "not observed",
    },
    {
      name: "another suggestion finds nothing, and the first one something",
      searches: around(
        ...[12, 15].map((time) => narrowed(time, { matches: [at("c")] })),
        ...[13, 16].map((time) => narrowed(time, nothing, "repo:a")),
      ),
      is: "broken",
    },
    ...["-file:_test", "NOT lang:go"].map((added) => ({
      name: `\`${added}\` takes away what it counts`,
      searches: [10, 20]
        .map((time) => base(time, { before: suggesting(filter(added)) }))
        .concat([12, 15].map((time) => narrowed(time, nothing, added))),
      is: "not observed",
    })),
    {
      name: "the query says something else of it already",
      searches: [10, 12, 15, 20].map((time, index) =>
        search(
          { q: `one archived:no${index % 3 === 0 ? "" : " archived:yes"}` },
          index % 3 === 0 ? { matches: [at("c")], before: suggesting(filter("archived:yes")) } : nothing,
          { sentAtMicros: time },
        ),
      ),
      is: "not observed",
    },
    {
      name: "the query says the same of it already",
      searches: [10, 12, 15, 20].map((time, index) =>
        search(
          { q: `lang:go one${index % 3 === 0 ? "" : " lang:go"}` },
          index % 3 === 0 ? { matches: [at("c")], before: go } : nothing,
          { sentAtMicros: time },
        ),
      ),
      is: "broken",
    },
    {
      name: "no commit is named",
      searches: [10, 20].map((time) => base(time, { matches: [linesIn("a", [1])] })).concat(inVain.slice(1, 3)),
      is: "not observed",
    },
    {
      name: "somebody else sent it",
      searches: around(...[12, 15].map((time): ExchangeSketch => ({ ...narrowed(time), credential: "oauth-token" }))),
      is: "not observed",
    },
    {
      name: "it differs in more",
      searches: around(
        ...[12, 15].map((time) => search({ q: "one lang:go", cm: "true" }, nothing, { sentAtMicros: time })),
      ),
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, [...searches, ...others(8)])).toBe(is);
  });

  test.each([
    { name: "few others", more: others(5), is: "not observed" },
    { name: "enough others", more: others(6), is: "broken" },
    { name: "one that met another state", more: [...others(6), ...others(1, "d")], is: "not observed" },
    {
      name: "one that tells no commit",
      more: [...others(6), search({ q: "x" }, { matches: [linesIn("a", [1])] })],
      is: "broken",
    },
  ])("beside $name it is: $is", ({ more, is }) => {
    expect(describeReport(id, [...inVain, ...more])).toBe(is);
  });

  test.each([
    { name: "in vain each time", first: nothing, is: "broken" },
    { name: "in vain only then", first: { matches: [at("c")] }, is: "holds" },
  ])("sent again, when the index was quiet, and $name it is: $is", ({ first, is }) => {
    const moved = [base(1, { matches: [at("d")] }), narrowed(2, first), narrowed(3, first), base(4)];
    const late = others(8).map((sketch) => ({ ...sketch, sentAtMicros: 16 }));
    expect(describeReport(id, [...moved, ...inVain, ...late])).toBe(is);
    expect(describeReport(id, [...moved, ...inVain, ...late.slice(0, 4)])).toBe("not observed");
    expect(
      describeReport(id, [
        ...moved,
        ...inVain,
        ...late,
        ...others(1, "d").map((one) => ({ ...one, sentAtMicros: 17 })),
      ]),
    ).toBe("not observed");
  });

  test("says which searches, and what was added", () => {
    expect(reportOf(id, [...inVain, ...others(8)]).violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 has `lang:go` added to its query, which search 1 suggests and counts matches for: it finds nothing",
      },
    ]);
  });
});
