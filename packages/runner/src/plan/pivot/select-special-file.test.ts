import { expect, test } from "vitest";
import { contentMatch, matchesEvent } from "../../testing/content-match.ts";
import { recorded } from "../../testing/recorded.ts";
import { specialTextProbes } from "../comparison-probes.ts";
import { selectSpecialFile } from "./select-special-file.ts";

const pivot = { repository: "r", path: "p", word: "needle" };
const specialFileIn = (...matches: readonly unknown[]) =>
  selectSpecialFile(recorded({ body: matchesEvent(matches) }), pivot);
const withLines = (...lines: readonly string[]): object =>
  contentMatch({ lines: lines.map((line, index) => [line, index + 1, 0, 1] as const) });
const expressionsIn = (...lines: readonly string[]) => specialFileIn(withLines(...lines))?.expressions;

test.each([
  { name: "a letter that is not ASCII", line: "needle größer", expressions: ["größer"] },
  { name: "letters of another script", line: "needle 日本語 x", expressions: ["日本語"] },
  { name: "a plus sign", line: "a+b needle", expressions: ["a[+]b"] },
  { name: "a percent sign", line: "needle a%20b", expressions: ["a%20b"] },
  { name: "a quote", line: "it isn't a needle", expressions: ["isn't"] },
  { name: "several kinds", line: "ü a+b needle", expressions: ["ü", "a[+]b"] },
  {
    name: "only characters where a query may read them otherwise",
    line: `"needle" 100% 'x' + y`,
    expressions: undefined,
  },
  { name: "a letter and a combining mark", line: "needle e\u0301", expressions: undefined },
  { name: "no word of the pivot", line: "größer", expressions: undefined },
])("a line with $name", ({ line, expressions }) => {
  expect(expressionsIn(line)).toEqual(expressions);
});

test("each expression matches one of the lines", () => {
  const lines = ["needle x größer", "needle c+d", "needle a%20b", `needle don't`];
  const expressions = expressionsIn(...lines) ?? [];
  expect(expressions.map((expression) => lines.findIndex((line) => new RegExp(expression, "u").test(line)))).toEqual([
    0, 1, 2, 3,
  ]);
});

test("the file has the most kinds of characters, wherever it stands", () => {
  const one = contentMatch({ path: "one", lines: [["needle ü", 1, 0, 6]] });
  const two = contentMatch({ path: "two", lines: [["needle ü a+b", 1, 0, 6]] });
  expect([specialFileIn(one, two)?.path, specialFileIn(two, one)?.path]).toEqual(["two", "two"]);
});

test.each([
  { name: "a path with a meaning in a query", match: contentMatch({ path: "a(b)", lines: [["needle ü", 1, 0, 6]] }) },
  { name: "no path", match: contentMatch({ path: 7, lines: [["needle ü", 1, 0, 6]] }) },
  { name: "no content", match: contentMatch({ type: "path", lines: [["needle ü", 1, 0, 6]] }) },
  { name: "lines that are not text", match: { ...contentMatch({}), lineMatches: [{ line: 7 }, null] } },
  { name: "an overlong line", match: withLines(`needle ü ${"x".repeat(1000)}`) },
])("$name is not searched for", ({ match }) => {
  expect(specialFileIn(match)).toBeUndefined();
});

test("the texts are searched for as expressions, and the word as it is", () => {
  const probes = specialTextProbes({ ...pivot, expressions: ["a[+]b", "ü"] });
  expect(probes.map(({ id, parameters: { q, t } }) => [id, q, t])).toEqual([
    ["text", "repo:^r$ file:^p$ needle count:all", undefined],
    ["text-1", "repo:^r$ file:^p$ a[+]b count:all", "regexp"],
    ["text-2", "repo:^r$ file:^p$ ü count:all", "regexp"],
  ]);
});
