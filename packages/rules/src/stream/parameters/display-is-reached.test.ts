import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  comparing,
  contextLine,
  limitHit,
  linesIn,
  pathMatch,
  said,
  search,
} from "../../testing/searches.ts";

const id = "stream/display-is-reached";
const reason = (name: string): readonly object[] => [{ reason: name, title: "", message: "", severity: "info" }];

const three = [linesIn("a", [1, 2, 3]), linesIn("b", [1]), linesIn("c", [1, 2])];
const plain = (matches: readonly object[] = three, more: object = {}): ExchangeSketch =>
  search({}, { matches, ...more });
const shown = (display: string, matches: readonly object[], more: object = {}): ExchangeSketch =>
  search({ display }, { matches, matchCount: 6, ...more });
const around = (limited: ExchangeSketch, whole = plain()): readonly ExchangeSketch[] => [whole, limited, whole];
const marks = (count: number): unknown => ({
  line: "words words words",
  lineNumber: 1,
  offsetAndLengths: Array.from({ length: count }, (_, index) => [6 * index, 5]),
});

test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
  { name: "as many lines", searches: around(shown("2", [linesIn("a", [1, 2])])), is: "holds" },
  {
    name: "as many lines of several files",
    searches: around(shown("4", [three[0] ?? {}, linesIn("b", [1])])),
    is: "holds",
  },
  { name: "a line less, of a part of a file", searches: around(shown("3", [linesIn("a", [1, 2])])), is: "broken" },
  { name: "a line less, in whole files", searches: around(shown("5", three.slice(0, 2))), is: "not observed" },
  { name: "as many files", searches: around(shown("2", three.slice(0, 2))), is: "holds" },
  { name: "a file less", searches: around(shown("2", three.slice(0, 1))), is: "broken" },
  { name: "a file less, of one line", searches: around(shown("2", three.slice(1, 2))), is: "not observed" },
  { name: "nothing", searches: around(shown("1", [])), is: "not observed" },
  { name: "all there is", searches: around(shown("9", three)), is: "not observed" },
  {
    name: "a line less, where it is named",
    searches: around(shown("3", [linesIn("a", [1, 2])], { skipped: reason("display") })),
    is: "broken",
  },
  {
    name: "a line less, and a limit came later",
    searches: around(shown("3", [linesIn("a", [1, 2])], { skipped: limitHit })),
    is: "broken",
  },
  {
    name: "a line less, and a limit came before",
    searches: around(shown("3", [linesIn("a", [1, 2])], { skipped: limitHit, matchCount: 2 })),
    is: "not observed",
  },
  {
    name: "a line less, after a problem",
    searches: around(shown("3", [linesIn("a", [1, 2])], { skipped: reason("shard-timeout") })),
    is: "not observed",
  },
  {
    name: "fewer lines that mark as many places",
    searches: around(shown("3", [linesIn("a", [marks(3)])])),
    is: "holds",
  },
  {
    name: "fewer lines, and matches of paths",
    searches: around(shown("3", [linesIn("a", [1]), pathMatch("p")])),
    is: "not observed",
  },
  {
    name: "fewer lines, of which one marks nothing",
    searches: around(shown("3", [linesIn("a", [1, contextLine(2, "x")])])),
    is: "not observed",
  },
  { name: "no lines", searches: around(shown("3", [linesIn("a", [])])), is: "not observed" },
  {
    name: "other lines each time",
    searches: [plain(), shown("3", [linesIn("a", [1, 2])]), plain(three.slice(1))],
    is: "not observed",
  },
  {
    name: "a line less, asked once without",
    searches: [plain(), shown("3", [linesIn("a", [1, 2])])],
    is: "not observed",
  },
  {
    name: "chunks",
    searches: [
      search({ cm: "true" }, { matches: [chunksIn("a", ["x", "y"])] }),
      search({ cm: "true", display: "2" }, { matches: [chunksIn("a", ["x"])] }),
      search({ cm: "true" }, { matches: [chunksIn("a", ["x", "y"])] }),
    ],
    is: "not observed",
  },
])("a search with `display` delivers $name: $is", ({ searches, is }) => {
  expect(said(id, searches)).toBe(is);
});

const at = (commit: string, ...matches: readonly object[]): readonly object[] =>
  matches.map((match) => ({ ...match, commit: commit.repeat(40) }));

test.each([
  { name: "the same", commit: "a", is: "broken" },
  { name: "another", commit: "b", is: "not observed" },
])("of fewer lines of $name commit it says: $is", ({ commit, is }) => {
  const wide = plain(at("a", ...three));
  expect(said(id, [wide, shown("3", at(commit, linesIn("a", [1, 2]))), wide])).toBe(is);
});

test("says how many came and what did not", () => {
  const { violations } = comparing(id, around(shown("2", three.slice(0, 1))));
  const message =
    "search 2 with `display=2` delivered 1 matches, and not what search 1 without it finds besides: `b` of a/repository, `c` of a/repository";
  expect(violations).toMatchObject([{ message }]);
});

test("what is in other repositories may be in another state", () => {
  const inOther = { ...linesIn("d", [1]), repository: "another/repository" };
  const wide = plain([...at("a", ...three), ...at("a", inOther)]);
  expect(said(id, [wide, shown("3", at("a", linesIn("a", [1, 2]))), wide])).toBe("broken");
  const mixed = [...at("a", linesIn("a", [1, 2])), ...at("b", inOther)];
  expect(said(id, [wide, shown("4", mixed), wide])).toBe("not observed");
});
