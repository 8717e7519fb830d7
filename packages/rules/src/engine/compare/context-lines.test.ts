import { describe, expect, test } from "vitest";
import { findEdges, describeMissingContext, describeSurplusContext } from "./context-lines.ts";
import type { MatchedFile } from "./context-lines.ts";

/** A line whose name begins with `m` and a number matches; `_` and letters are lines around it, `|` begins a chunk. */
function file(sketch: string): MatchedFile {
  const chunkLines = sketch.split("|").map((chunk) => chunk.trim().split(" "));
  const numbers = chunkLines.flat().flatMap((line) => (/^m\d+$/u.test(line) ? [Number(line.slice(1))] : []));
  const matchedLines = [...new Set(numbers)].sort((one, other) => one - other);
  return {
    matchedLines: matchedLines.map((number) => ({ number, text: `m${number}` })),
    chunkLines: chunkLines.map((chunk) => chunk.map((line) => (line === "_" ? "" : line))),
  };
}

describe("there is too much context", () => {
  test.each<{ sketch: string; lines: number; clauses: readonly string[] }>([
    { sketch: "m5", lines: 0, clauses: [] },
    { sketch: "a m5", lines: 0, clauses: ["1 lines before a match"] },
    { sketch: "m5 a", lines: 0, clauses: ["1 lines after a match"] },
    { sketch: "m5 _", lines: 0, clauses: [] },
    { sketch: "m5 _ _", lines: 0, clauses: ["1 lines after a match"] },
    { sketch: "_ m5", lines: 0, clauses: ["1 lines before a match"] },
    { sketch: "m5 m6", lines: 0, clauses: [] },
    { sketch: "m5 a m7", lines: 0, clauses: ["1 lines between two matches"] },
    { sketch: "a b m5 c d", lines: 2, clauses: [] },
    { sketch: "z a b m5 c d", lines: 2, clauses: ["3 lines before a match"] },
    { sketch: "a b m5 c d e", lines: 2, clauses: ["3 lines after a match"] },
    { sketch: "m5 a b c d m10", lines: 2, clauses: [] },
    { sketch: "m5 a b c d e m11", lines: 2, clauses: ["5 lines between two matches"] },
    { sketch: "m5 a m7 a b c m11 x", lines: 1, clauses: ["3 lines between two matches"] },
    { sketch: "a b c d", lines: 0, clauses: [] },
    { sketch: "a m5 | m9 b", lines: 0, clauses: ["1 lines before a match", "1 lines after a match"] },
    { sketch: "m5 | a b c | m9", lines: 0, clauses: [] },
    { sketch: "_", lines: 0, clauses: [] },
  ])("in `$sketch` where $lines were asked for: $clauses", ({ sketch, lines, clauses }) => {
    expect(describeSurplusContext(file(sketch), lines)).toEqual(clauses);
  });

  test("counts every line with the text of a matched one as matched", () => {
    const same = { number: 5, text: "m" };
    expect(describeSurplusContext({ matchedLines: [same], chunkLines: [["m", "a", "m"]] }, 0)).toEqual([
      "1 lines between two matches",
    ]);
    expect(describeSurplusContext({ matchedLines: [same], chunkLines: [["m", "m", "a"]] }, 1)).toEqual([]);
  });

  test("is found in a chunk of very many lines", () => {
    const lines = Array.from({ length: 200_000 }, () => "m");
    expect(
      describeSurplusContext({ matchedLines: [{ number: 5, text: "m" }], chunkLines: [[...lines, "a"]] }, 0),
    ).toEqual(["1 lines after a match"]);
  });
});

describe("the edges of a file", () => {
  const at = (sketch: string, before: number, after: number): MatchedFile => ({
    ...file(sketch),
    edges: { before, after },
  });

  test.each<{ sketch: string; edges: readonly [number, number]; lines: number; clauses: readonly string[] }>([
    { sketch: "a b m3 c d", edges: [0, 2], lines: 2, clauses: [] },
    { sketch: "a b m3 c", edges: [0, 2], lines: 2, clauses: ["only 1 lines after line 3"] },
    { sketch: "a b m3 c d", edges: [0, 6], lines: 2, clauses: [] },
    { sketch: "a b m3 c", edges: [0, 1], lines: 6, clauses: [] },
    { sketch: "a b m3", edges: [0, 1], lines: 6, clauses: ["only 0 lines after line 3"] },
    { sketch: "m1", edges: [0, 0], lines: 6, clauses: [] },
    { sketch: "m1 a", edges: [1, 0], lines: 2, clauses: ["only 0 lines before line 1"] },
    { sketch: "a m1", edges: [1, 0], lines: 2, clauses: [] },
  ])("of `$sketch`, known to have $edges lines, where $lines were asked for: $clauses", (one) => {
    expect(describeMissingContext(at(one.sketch, ...one.edges), one.lines)).toEqual(one.clauses);
  });

  test.each<{ sketch: string; edges: readonly [number, number] }>([
    { sketch: "a b m3 c", edges: [2, 1] },
    { sketch: "a b m3 c _", edges: [2, 1] },
    { sketch: "m3", edges: [0, 0] },
    { sketch: "a m3 b | m3 b m5 c d | b m5", edges: [0, 0] },
    { sketch: "a m3 b m5 c d", edges: [1, 2] },
  ])("of `$sketch` are $edges", ({ sketch, edges: [before, after] }) => {
    expect(findEdges(file(sketch))).toEqual({ before, after });
  });

  test("are not known where two matched lines have one text", () => {
    const matchedLines = [1, 9].map((number) => ({ number, text: "m" }));
    expect(findEdges({ matchedLines, chunkLines: [["a", "m", "b"]] })).toEqual({ before: 0, after: 0 });
  });
});

describe("there is too little context", () => {
  test.each<{ sketch: string; lines: number; clauses: readonly string[] }>([
    { sketch: "m5", lines: 0, clauses: [] },
    { sketch: "a m5", lines: 1, clauses: [] },
    { sketch: "m5 a", lines: 1, clauses: ["only 0 lines before line 5"] },
    { sketch: "m0", lines: 2, clauses: [] },
    { sketch: "m1", lines: 2, clauses: [] },
    { sketch: "m2", lines: 2, clauses: ["only 0 lines before line 2"] },
    { sketch: "a m2", lines: 2, clauses: [] },
    { sketch: "a m3", lines: 2, clauses: ["only 1 lines before line 3"] },
    { sketch: "a b m3", lines: 2, clauses: [] },
    // The last match may be at the end of the file.
    { sketch: "a b m9", lines: 2, clauses: [] },
    { sketch: "a m5 b | c m9 d", lines: 1, clauses: [] },
    { sketch: "a m5 | c m9 d", lines: 1, clauses: ["only 0 lines after line 5"] },
    { sketch: "a m5 b | m9 d", lines: 1, clauses: ["only 0 lines before line 9"] },
    // Lines that two matches share may stand with either of them.
    { sketch: "a m5 | m8", lines: 1, clauses: [] },
    { sketch: "a m5 | m9", lines: 1, clauses: ["only 0 lines after line 5", "only 0 lines before line 9"] },
    { sketch: "a m5 b c m8", lines: 1, clauses: [] },
    { sketch: "a m5 _ | c m9", lines: 1, clauses: [] },
    // The same line in several chunks: where it has most.
    { sketch: "m5 | a m5 b | c m9 | m9", lines: 1, clauses: [] },
  ])("in `$sketch` where $lines were asked for: $clauses", ({ sketch, lines, clauses }) => {
    expect(describeMissingContext(file(sketch), lines)).toEqual(clauses);
  });
});
