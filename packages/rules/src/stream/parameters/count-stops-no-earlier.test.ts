import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, limitHit, linesIn, pathMatch, said, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/count-stops-no-earlier";

const file = (path: string, commit = "c"): object => ({ ...linesIn(path, [1]), commit });
const asked = (count: string, found: FoundSketch, sentAtMicros = 0): ExchangeSketch =>
  search({ q: `one${count === "" ? "" : ` count:${count}`}` }, found, { sentAtMicros });
const [a, b] = [file("a"), file("b")];

/** The search with a number and further parameters. */
const with9 = (parameters: Readonly<Record<string, string>>, found: FoundSketch): ExchangeSketch =>
  search({ q: "one count:9", ...parameters }, found);

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

describe("a search with parameters that change nothing", () => {
  const three: FoundSketch = { matches: [a, b, file("c")] };

  test.each<{ parameters: Readonly<Record<string, string>>; base?: Readonly<Record<string, string>> }>([
    { parameters: { cm: "false" } },
    { parameters: { cl: "3" } },
    { parameters: { cm: "false", "max-line-len": "20" } },
    { parameters: { cm: "true", cl: "1" }, base: { cm: "true" } },
    { parameters: { cm: "true", "max-line-len": "-1" }, base: { cm: "true" } },
  ])("finds no less than half with $parameters", ({ parameters, base = {} }) => {
    expect(said(id, [with9(parameters, { matches: [a] }), with9(base, three)])).toBe("broken");
    expect(said(id, [with9(base, { matches: [a] }), with9(parameters, three)])).toBe("broken");
    expect(said(id, [with9(parameters, { matches: [a, b] }), with9(base, three)])).toBe("not observed");
    expect(said(id, [with9(parameters, { matches: [a], skipped: limitHit }), with9(base, three)])).toBe("not observed");
  });

  test.each<{ parameters: Readonly<Record<string, string>> }>([
    { parameters: { cm: "true" } },
    { parameters: { cm: "yes" } },
    { parameters: { cm: "true", cl: "2" } },
    { parameters: { display: "1" } },
    { parameters: { t: "regexp" } },
  ])("is another one with $parameters", ({ parameters }) => {
    expect(said(id, [with9(parameters, { matches: [a] }), with9({}, three)])).toBe("not observed");
  });

  test("is reported with its parameters", () => {
    expect(comparing(id, [with9({ cm: "false" }, { matches: [a] }), with9({}, three)]).violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 with `count:9` and `cm=false` lacks what search 2 finds: `b` of a/repository, `c` of a/repository",
      },
    ]);
  });
});
