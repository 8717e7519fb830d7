import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentMatch, matchesEvent } from "../../testing/content-match.ts";
import type { LineSketch } from "../../testing/content-match.ts";
import { recorded, unreadable } from "../../testing/recorded.ts";
import { selectPivot } from "./select-pivot.ts";

const pivotIn = (...events: readonly (readonly unknown[])[]) =>
  selectPivot(recorded({ body: events.map((matches) => matchesEvent(matches)).join("") }));

const plain: LineSketch = ["a needle", 1, 2, 6];
const pathOf = (...matches: readonly object[]): string | undefined => pivotIn(matches)?.path;

describe("the pivot", () => {
  test("is the file, the word that was highlighted, and two other words of a line in reverse order", () => {
    expect(pivotIn([contentMatch({})])).toEqual({
      repository: "github.com/a/b",
      path: "src/c.ts",
      word: "needle",
      swappedWords: ["needle", "const"],
    });
  });

  test("has no words to swap if no line has two", () => {
    expect(pivotIn([contentMatch({ lines: [["needle", 1, 0, 6]] })])).not.toHaveProperty("swappedWords");
  });

  test.each([
    { name: "of which one contains the other", line: "needle needles", swapped: undefined },
    { name: "that are the same in another case", line: "needle NEEDLE", swapped: undefined },
    { name: "that are operators of a query", line: "needle and not hay", swapped: ["hay", "needle"] },
    { name: "that are too short", line: "needle is in hay", swapped: ["hay", "needle"] },
  ])("swaps no words $name", ({ line, swapped }) => {
    expect(pivotIn([contentMatch({ lines: [[line, 1, 0, 6]] })])?.swappedWords).toEqual(swapped);
  });

  test.each([
    {
      name: "with more lines",
      better: [plain, ["my needle", 2, 3, 6]] as const,
    },
    { name: "with a line to cut", better: [["a needle in a very long line of text", 1, 2, 6]] as const },
    { name: "with lines before the match", better: [["a needle", 5, 2, 6]] as const },
    { name: "with words to swap", better: [["hay needle", 1, 4, 6]] as const },
  ])("is the file $name, wherever it stands", ({ better }) => {
    const good = contentMatch({ path: "good", lines: better });
    const other = contentMatch({ path: "other", lines: [plain] });
    expect([pathOf(good, other), pathOf(other, good)]).toEqual(["good", "good"]);
  });

  test("is the first of files that are equally good, of any event", () => {
    expect(pivotIn([contentMatch({ path: "one" })], [contentMatch({ path: "two" })])?.path).toBe("one");
    expect(pivotIn([], [contentMatch({ path: "two" })])?.path).toBe("two");
  });

  test.each([
    { name: "no content match", match: contentMatch({ type: "path" }) },
    { name: "no repository", match: contentMatch({ repository: 7 }) },
    { name: "no path", match: contentMatch({ path: null }) },
    { name: "a repository with a meaning in a query", match: contentMatch({ repository: "a|b" }) },
    { name: "a path with a line end", match: contentMatch({ path: "a\nb.ts" }) },
    { name: "a path with a no-break space", match: contentMatch({ path: "a\u00a0b.ts" }) },
    { name: "a path with a quote", match: contentMatch({ path: 'a"b.ts' }) },
    { name: "a path with a backslash", match: contentMatch({ path: "a\\b.ts" }) },
    { name: "a path with a meaning in a query", match: contentMatch({ path: "a(b).ts" }) },
    { name: "an overlong path", match: contentMatch({ path: "a".repeat(201) }) },
    { name: "no lines", match: contentMatch({ lines: [] }) },
    { name: "a non-ASCII line", match: contentMatch({ lines: [["ä needle", 1, 2, 6]] }) },
    { name: "a very long line", match: contentMatch({ lines: [[`needle ${"x".repeat(2000)}`, 1, 0, 6]] }) },
    { name: "a highlight that is not a word", match: contentMatch({ lines: [["a need.le", 1, 2, 7]] }) },
    { name: "a highlight of two letters", match: contentMatch({ lines: [["ab needle", 1, 0, 2]] }) },
    { name: "a highlight outside the line", match: contentMatch({ lines: [["a needle", 1, 20, 6]] }) },
    { name: "no highlight", match: { ...contentMatch({}), lineMatches: [{ line: "needle", lineNumber: 1 }] } },
    { name: "lines that are not an array", match: { ...contentMatch({}), lineMatches: "needle" } },
    { name: "a match that is not an object", match: "needle" },
  ])("is none for $name", ({ match }) => {
    expect(pivotIn([match])).toBeUndefined();
  });

  test.each(["my notes/a file.md", "größe/日本語.md", "cafe\u0301/ελληνικά.ts", "٣/क्षि.go"])(
    "takes the path %s",
    (path) => {
      expect(pivotIn([contentMatch({ path, repository: path })])).toMatchObject({ path, repository: path });
    },
  );

  test("is preferably a file with a language", () => {
    const without = { ...contentMatch({ path: "a" }), language: "" };
    const inLanguage = { ...contentMatch({ path: "b" }), language: "Go" };
    expect(pivotIn([without, inLanguage, contentMatch({ path: "c" })])?.path).toBe("b");
  });

  test("is one of the first thousand matches", () => {
    const others = Array.from({ length: 999 }, () => contentMatch({ type: "path" }));
    expect(pivotIn(others, [contentMatch({})])).toBeDefined();
    expect(pivotIn([...others, {}], [contentMatch({})])).toBeUndefined();
  });

  test("is undefined for an unreadable body", () => {
    expect(selectPivot(unreadable({}, "it is gone"))).toBeUndefined();
  });

  test("is found or not, whatever a target sends", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), (values) => {
        const found = pivotIn(
          values.map((value) => ({ ...contentMatch({}), lineMatches: value })),
          values,
        );
        expect(found).toBeUndefined();
      }),
    );
  });
});
