import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, limitHit, linesIn, pathMatch, rowsOf, describeReport, search } from "../../testing/searches.ts";
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
  test.each(
    rowsOf({
      holds: {
        "it has all that a smaller number finds": [
          asked("9", { matches: [a, b] }),
          asked("1", { matches: [a], skipped: limitHit }),
        ],
      },
      broken: {
        "it lacks what a smaller number finds": [asked("9", { matches: [a] }), asked("5", { matches: [a, b] })],
        "it lacks what a search without a number finds": [asked("9", { matches: [a] }), asked("", { matches: [a, b] })],
        "it has less than half of the lines that it has another time": [
          asked("9", { matches: [a] }),
          asked("9", { matches: [a, b, file("c")] }),
          asked("1", {}),
        ],
        "nobody tells commits, and it found the same before and after": [
          asked("9", { matches: [pathMatch("a")] }, 1),
          asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 5),
          asked("9", { matches: [pathMatch("a")] }, 9),
        ],
        "nobody tells commits, and the other found the same before and after": [
          asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 1),
          asked("9", { matches: [pathMatch("a")] }, 5),
          asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 9),
        ],
      },
      "not observed": {
        "it has less than half of the lines that it has another time, of another commit": [
          asked("9", { matches: [file("a", "d")] }),
          asked("9", { matches: [a, b, file("c")] }),
          asked("1", { matches: [] }),
        ],
        "it has half of the lines that it has another time": [
          asked("9", { matches: [a] }),
          asked("9", { matches: [a, b] }),
          asked("1", {}),
        ],
        "it names a limit": [
          asked("9", { matches: [a], skipped: limitHit }),
          asked("", { matches: [a, b], skipped: limitHit }),
        ],
        "it counted its number": [
          asked("9", { matches: [a], matchCount: 9 }),
          asked("", { matches: [a, b], matchCount: 12 }),
        ],
        "the other met another state": [
          asked("9", { matches: [a] }),
          asked("", { matches: [file("a", "d"), file("b", "d")] }),
        ],
        "nobody tells commits, and nobody asked again": [
          asked("9", { matches: [pathMatch("a")] }),
          asked("all", { matches: [pathMatch("a"), pathMatch("b")] }, 5),
        ],
      },
    }),
  )("$name: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
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
    expect(describeReport(id, [with9(parameters, { matches: [a] }), with9(base, three)])).toBe("broken");
    expect(describeReport(id, [with9(base, { matches: [a] }), with9(parameters, three)])).toBe("broken");
    expect(describeReport(id, [with9(parameters, { matches: [a, b] }), with9(base, three)])).toBe("not observed");
    expect(describeReport(id, [with9(parameters, { matches: [a], skipped: limitHit }), with9(base, three)])).toBe(
      "not observed",
    );
  });

  test.each<{ parameters: Readonly<Record<string, string>> }>([
    { parameters: { cm: "true" } },
    { parameters: { cm: "yes" } },
    { parameters: { cm: "true", cl: "2" } },
    { parameters: { display: "1" } },
    { parameters: { t: "regexp" } },
  ])("is another one with $parameters", ({ parameters }) => {
    expect(describeReport(id, [with9(parameters, { matches: [a] }), with9({}, three)])).toBe("not observed");
  });

  test("is reported with its parameters", () => {
    expect(reportOf(id, [with9({ cm: "false" }, { matches: [a] }), with9({}, three)]).violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 with `count:9` and `cm=false` lacks results of search 2: `b` of a/repository, `c` of a/repository",
      },
    ]);
  });
});
