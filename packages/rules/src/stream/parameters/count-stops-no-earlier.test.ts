import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { limitHit, linesIn, pathMatch, said, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/count-stops-no-earlier";

const file = (path: string, commit = "c"): object => ({ ...linesIn(path, [1]), commit });
const asked = (count: string, found: FoundSketch, sentAtMicros = 0): ExchangeSketch =>
  search({ q: `one${count === "" ? "" : ` count:${count}`}` }, found, { sentAtMicros });
const [a, b] = [file("a"), file("b")];

describe("stream/count-stops-no-earlier", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    {
      name: "it has all that a smaller number finds",
      searches: [asked("9", { matches: [a, b] }), asked("1", { matches: [a], skipped: limitHit })],
      is: "holds",
    },
    {
      name: "it lacks what a smaller number finds",
      searches: [asked("9", { matches: [a] }), asked("5", { matches: [a, b] })],
      is: "broken",
    },
    {
      name: "it lacks what a search without a number finds",
      searches: [asked("9", { matches: [a] }), asked("", { matches: [a, b] })],
      is: "broken",
    },
    {
      name: "it has less than half of the lines that it has another time",
      searches: [asked("9", { matches: [a] }), asked("9", { matches: [a, b, file("c")] }), asked("1", {})],
      is: "broken",
    },
    {
      name: "it has less than half of the lines that it has another time, of another commit",
      searches: [
        asked("9", { matches: [file("a", "d")] }),
        asked("9", { matches: [a, b, file("c")] }),
        asked("1", { matches: [] }),
      ],
      is: "not observed",
    },
    {
      name: "it has half of the lines that it has another time",
      searches: [asked("9", { matches: [a] }), asked("9", { matches: [a, b] }), asked("1", {})],
      is: "not observed",
    },
    {
      name: "it names a limit",
      searches: [asked("9", { matches: [a], skipped: limitHit }), asked("", { matches: [a, b], skipped: limitHit })],
      is: "not observed",
    },
    {
      name: "it counted its number",
      searches: [asked("9", { matches: [a], matchCount: 9 }), asked("", { matches: [a, b], matchCount: 12 })],
      is: "not observed",
    },
    {
      name: "the other met another state",
      searches: [asked("9", { matches: [a] }), asked("", { matches: [file("a", "d"), file("b", "d")] })],
      is: "not observed",
    },
    {
      name: "nobody tells commits, and nobody asked again",
      searches: [
        asked("9", { matches: [pathMatch("a")] }),
        asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 5),
      ],
      is: "not observed",
    },
    {
      name: "nobody tells commits, and it found the same before and after",
      searches: [
        asked("9", { matches: [pathMatch("a")] }, 1),
        asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 5),
        asked("9", { matches: [pathMatch("a")] }, 9),
      ],
      is: "broken",
    },
    {
      name: "nobody tells commits, and the other found the same before and after",
      searches: [
        asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 1),
        asked("9", { matches: [pathMatch("a")] }, 5),
        asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 9),
      ],
      is: "broken",
    },
  ])("$name: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });
});
