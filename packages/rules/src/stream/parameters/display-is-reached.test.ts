import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  contextLine,
  limitHit,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
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
const paths = ["p", "q", "r"].map((name) => pathMatch(name));
const aroundPaths = (
  matches: readonly object[],
  parameters: Readonly<Record<string, string>> = {},
): readonly ExchangeSketch[] =>
  around(search({ ...parameters, display: "2" }, { matches, matchCount: 3 }), search(parameters, { matches: paths }));
const marks = (count: number): unknown => ({
  line: "words words words",
  lineNumber: 1,
  offsetAndLengths: Array.from({ length: count }, (_, index) => [6 * index, 5]),
});

test.each(
  rowsOf({
    holds: {
      "as many lines": around(shown("2", [linesIn("a", [1, 2])])),
      "as many lines of several files": around(shown("4", [three[0] ?? {}, linesIn("b", [1])])),
      "as many files": around(shown("2", three.slice(0, 2))),
      "fewer lines that mark as many places": around(shown("3", [linesIn("a", [marks(3)])])),
      "as many paths": aroundPaths(paths.slice(0, 2)),
    },
    broken: {
      "a line less, of a part of a file": around(shown("3", [linesIn("a", [1, 2])])),
      "a file less": around(shown("2", three.slice(0, 1))),
      "a line less, where it is named": around(shown("3", [linesIn("a", [1, 2])], { skipped: reason("display") })),
      "a path less": aroundPaths(paths.slice(0, 1)),
      "a path less, with chunk matches": aroundPaths(paths.slice(0, 1), { cm: "true", cl: "0" }),
      "a line less, and a limit came later": around(shown("3", [linesIn("a", [1, 2])], { skipped: limitHit })),
    },
    "not observed": {
      "a line less, in whole files": around(shown("5", three.slice(0, 2))),
      "a file less, of one line": around(shown("2", three.slice(1, 2))),
      nothing: around(shown("1", [])),
      "all there is": around(shown("9", three)),
      "a line less, and a limit came before": around(
        shown("3", [linesIn("a", [1, 2])], { skipped: limitHit, matchCount: 2 }),
      ),
      "a line less, after a problem": around(shown("3", [linesIn("a", [1, 2])], { skipped: reason("shard-timeout") })),
      "fewer lines, and there are matches in paths": around(shown("3", [linesIn("a", [1]), pathMatch("p")])),
      "fewer lines, of which one marks nothing": around(shown("3", [linesIn("a", [1, contextLine(2, "x")])])),
      "a path less, of two ranges": aroundPaths([{ ...paths[0], pathMatches: [{}, {}] }]),
      "a path less, where lines may be found too": around(shown("2", paths.slice(0, 1)), plain([...paths, ...three])),
      "no path": aroundPaths([]),
      "a path less, asked once without": aroundPaths(paths.slice(0, 1)).slice(0, 2),
      "no lines": around(shown("3", [linesIn("a", [])])),
      "other lines each time": [plain(), shown("3", [linesIn("a", [1, 2])]), plain(three.slice(1))],
      "a line less, asked once without": [plain(), shown("3", [linesIn("a", [1, 2])])],
      chunks: [
        search({ cm: "true" }, { matches: [chunksIn("a", ["x", "y"])] }),
        search({ cm: "true", display: "2" }, { matches: [chunksIn("a", ["x"])] }),
        search({ cm: "true" }, { matches: [chunksIn("a", ["x", "y"])] }),
      ],
    },
  }),
)("a search with `display` delivers $name: $is", ({ searches, is }) => {
  expect(describeReport(id, searches)).toBe(is);
});

const at = (commit: string, ...matches: readonly object[]): readonly object[] =>
  matches.map((match) => ({ ...match, commit: commit.repeat(40) }));

test.each([
  { name: "the same", commit: "a", is: "broken" },
  { name: "another", commit: "b", is: "not observed" },
])("of fewer lines of $name commit it says: $is", ({ commit, is }) => {
  const wide = plain(at("a", ...three));
  expect(describeReport(id, [wide, shown("3", at(commit, linesIn("a", [1, 2]))), wide])).toBe(is);
});

test("says how many came and what did not", () => {
  const { violations } = reportOf(id, around(shown("2", three.slice(0, 1))));
  const message =
    "search 2 with `display=2` returned 1 matches, but lacks results of search 1 without it: `b` of a/repository, `c` of a/repository";
  expect(violations).toMatchObject([{ message }]);
});

test("what is in other repositories may be in another state", () => {
  const inOther = { ...linesIn("d", [1]), repository: "another/repository" };
  const wide = plain([...at("a", ...three), ...at("a", inOther)]);
  expect(describeReport(id, [wide, shown("3", at("a", linesIn("a", [1, 2]))), wide])).toBe("broken");
  const mixed = [...at("a", linesIn("a", [1, 2])), ...at("b", inOther)];
  expect(describeReport(id, [wide, shown("4", mixed), wide])).toBe("not observed");
});
