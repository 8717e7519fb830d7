import { describe, expect, test } from "vitest";
import { hasAllLines, countResults } from "./result-size.ts";
import { usableSearch } from "../../testing/compared-searches.ts";
import { chunksIn, linesIn, search } from "../../testing/searches.ts";

describe("the size of what was found", () => {
  const path = { type: "path", repository: "r", path: "p" };
  test.each<{ name: string; matches: readonly unknown[]; size: readonly number[]; all: boolean }>([
    { name: "nothing", matches: [], size: [0, 0, 0], all: true },
    { name: "lines of files", matches: [linesIn("a", [1, 2]), linesIn("b", [1])], size: [2, 3, 3], all: true },
    { name: "a file without lines", matches: [chunksIn("a", []), linesIn("b", [1, 2])], size: [2, 3, 3], all: false },
    { name: "other things", matches: [path, { ...path, path: "o" }, linesIn("a", [1, 2])], size: [3, 4, 4], all: true },
    {
      name: "nameless things",
      matches: [{ type: "path" }, { type: "path" }, { type: "repo" }],
      size: [3, 3, 3],
      all: true,
    },
  ])("counts files, lines and highlights of $name", ({ matches, size, all }) => {
    const { results } = usableSearch(search({}, { matches }));
    const { files, lines, highlights } = countResults(results);
    expect([files, lines, highlights]).toEqual(size);
    expect(hasAllLines(results)).toBe(all);
  });
});
