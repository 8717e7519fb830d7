import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  limitHit,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";

const id = "stream/line-parameters-keep-files";
const [a, b] = [linesIn("a", [1, 2]), linesIn("b", [3])];
const [chunkA, chunkB] = [chunksIn("a", ["x"]), chunksIn("b", ["y"])];
const at = (commit: string, ...matches: readonly object[]): readonly object[] =>
  matches.map((match) => ({ ...match, commit: commit.repeat(40) }));

const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const chunks = (...matches: readonly object[]): ExchangeSketch => search({ cm: "true" }, { matches });
const asked = (query: Readonly<Record<string, string>>, ...matches: readonly object[]): ExchangeSketch =>
  search(query, { matches });
const around = (varied: ExchangeSketch): readonly ExchangeSketch[] => [plain(a, b), varied, plain(a, b)];

test.each(
  rowsOf({
    holds: {
      "both files": around(chunks(chunkA, chunkB)),
      "both files, one in two elements": around(chunks(chunkB, chunkA, chunkB)),
      "both files, with lines around a match": around(chunks({ ...chunkA, ...linesIn("a", [0, 1, 2, 3]) }, b)),
    },
    broken: {
      "one of them": around(chunks(chunkA)),
      "none of them": around(chunks()),
      "a third one besides": around(chunks(chunkA, chunkB, chunksIn("c", ["z"]))),
      "one with `cl`": around(asked({ cm: "true", cl: "3" }, chunkB)),
      "one with `max-line-len`": around(asked({ cm: "true", "max-line-len": "9" }, chunkB)),
    },
    "not observed": {
      "one with `cm=false`": around(asked({ cm: "false" }, a)),
      "one with `display`": around(asked({ cm: "true", display: "1" }, chunkA)),
      "one in another version": around(asked({ cm: "true", v: "V3" }, chunkA)),
      "one, and some match is of nobody knows what": around(chunks(chunkA, { type: "content" })),
      "one, and asked once without": [plain(a, b), chunks(chunkA)],
      "one, and the other was not always there": [plain(a, b), chunks(chunkA), plain(a)],
      "one, before the others": [
        search({ cm: "true" }, { matches: [chunkA] }, { sentAtMicros: -1 }),
        plain(a, b),
        plain(a, b),
      ],
    },
  }),
)("a search for chunk matches finds $name: $is", ({ searches, is }) => {
  expect(describeReport(id, searches)).toBe(is);
});

const paths = ["a", "b"].map((path) => pathMatch(path));
test.each([
  { q: "type:path count:9", found: paths, is: "holds" },
  { q: "type:path patternType:standard -file:c count:9", found: paths.slice(1), is: "broken" },
  { q: "type:path a.b count:9", found: paths.slice(1), is: "not observed" },
  { q: "type:symbol count:9", found: paths.slice(1), is: "not observed" },
])("a search for chunk matches of `$q` that finds $found.length paths: $is", ({ q, found, is }) => {
  const whole = asked({ q }, ...paths);
  expect(describeReport(id, [whole, asked({ q, cm: "true" }, ...found), whole])).toBe(is);
});

const commits = (varied: readonly object[]): readonly ExchangeSketch[] => [
  plain(...at("a", a, b)),
  plain(...at("a", a, b)),
  plain(...at("b", a)),
  chunks(...varied),
];

test.each([
  { name: "of the same commit", varied: at("a", chunkA), is: "broken" },
  { name: "of the same commit, both", varied: at("a", chunkA, chunkB), is: "holds" },
  { name: "of another commit that one search met", varied: at("b", chunkA), is: "holds" },
  { name: "of another commit that one search met, both", varied: at("b", chunkA, chunkB), is: "broken" },
  { name: "of a commit that nobody else met", varied: at("c", chunkA), is: "not observed" },
  { name: "of no commit", varied: [chunkA], is: "not observed" },
  { name: "not at all", varied: [], is: "not observed" },
])("if commits are named, files arrive $name: $is", ({ varied, is }) => {
  expect(describeReport(id, commits(varied))).toBe(is);
});

const both = { matches: [a, b] };

test.each<{ name: string; searches: readonly ExchangeSketch[] }>([
  {
    name: "a number",
    searches: [
      search({ q: "words count:2" }, both),
      search({ q: "words count:2", cm: "true" }, { matches: [chunkA] }),
      search({ q: "words count:2" }, both),
    ],
  },
  { name: "a limit", searches: around(search({ cm: "true" }, { matches: [chunkA], skipped: limitHit })) },
  {
    name: "a problem",
    searches: around(search({ cm: "true" }, { matches: [chunkA], skipped: [{ reason: "shard-timeout" }] })),
  },
  {
    name: "two words",
    searches: [
      search({ q: "two words" }, both),
      search({ q: "two words", cm: "true" }, { matches: [chunkA] }),
      search({ q: "two words" }, both),
    ],
  },
  {
    name: "an expression",
    searches: [
      search({ q: "wor.s" }, both),
      search({ q: "wor.s", cm: "true" }, { matches: [chunkA] }),
      search({ q: "wor.s" }, both),
    ],
  },
  {
    name: "keywords",
    searches: [
      search({ t: "keyword" }, both),
      search({ t: "keyword", cm: "true" }, { matches: [chunkA] }),
      search({ t: "keyword" }, both),
    ],
  },
])("what is left out of a search with $name says nothing", ({ searches }) => {
  expect(describeReport(id, searches)).toBe("not observed");
});

test("a number that was not reached, and there are matches in paths, are compared all the same", () => {
  const q = "words count:9";
  const [whole, part] = [{ matches: [a, pathMatch("p")] }, { matches: [chunkA] }];
  expect(describeReport(id, [search({ q }, whole), search({ q, cm: "true" }, part), search({ q }, whole)])).toBe(
    "broken",
  );
});

test("says which file is gone, and with which parameters", () => {
  const { violations } = reportOf(id, around(asked({ cm: "true", cl: "3" }, chunkA)));
  const message =
    "search 2 with `cm=true&cl=3` finds different files from search 1 without it: it lacks `b` of a/repository";
  expect(violations).toMatchObject([{ message }]);
});
