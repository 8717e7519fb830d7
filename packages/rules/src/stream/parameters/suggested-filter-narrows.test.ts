import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { wireEvent } from "../../testing/stream-report.ts";
import { linesIn, describeReport, pathMatch, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/suggested-filter-narrows";

const file = (path: string, commit: string | undefined = "c"): object => ({
  ...linesIn(path, [1]),
  ...(commit === "" ? {} : { commit }),
});
const filter = (value: string, count: number, exhaustive: unknown = true): object => ({
  value,
  label: "",
  count,
  exhaustive,
  kind: "lang",
});
const suggesting = (...filters: readonly object[]): string => wireEvent("filters", filters);
const both = suggesting(filter("lang:go", 1), filter("lang:c", 2));
const unnamedPaths = ["p", "q"].map((name) => pathMatch(name));
const paths = unnamedPaths.map((match) => ({ ...match, commit: "c" }));
const sameUnnamed = paths.map((match) => ({ ...match, path: ["a", "b"] }));
const files = [file("a.go"), file("b.c"), file("c.c")];

const base = (found: FoundSketch = {}, parameters: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search({ q: "one", ...parameters }, { matches: files, before: both, ...found });
const narrowed = (matches: readonly object[], added = "lang:go"): ExchangeSketch =>
  search({ q: `one ${added}` }, { matches });

describe("stream/suggested-filter-narrows", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "it finds the file of its language", searches: [base(), narrowed([file("a.go")])], is: "holds" },
    { name: "it finds everything again", searches: [base(), narrowed(files)], is: "broken" },
    { name: "it finds everything and more", searches: [base(), narrowed([...files, file("d.c")])], is: "broken" },
    { name: "it finds every path again", searches: [base({ matches: paths }), narrowed(paths)], is: "broken" },
    { name: "it finds one of the paths", searches: [base({ matches: paths }), narrowed(paths.slice(1))], is: "holds" },
    {
      name: "it finds every path again, and no path names a commit",
      searches: [base({ matches: unnamedPaths }), narrowed(unnamedPaths)],
      is: "not observed",
    },
    {
      name: "it finds the only readable path again, and other matches do not name their path",
      searches: [
        base({ matches: [...paths.slice(0, 1), ...sameUnnamed] }),
        narrowed([...paths.slice(0, 1), ...sameUnnamed]),
      ],
      is: "not observed",
    },
    {
      name: "it finds the file with content again, but not the path of another",
      searches: [base({ matches: [file("a.go"), ...paths] }), narrowed([file("a.go")])],
      is: "holds",
    },
    {
      name: "it finds a file at two commits again",
      searches: [base({ matches: [file("p", "d"), ...paths] }), narrowed([file("p", "d"), ...paths])],
      is: "not observed",
    },
    {
      name: "it finds the only file again, by its content and path",
      searches: [
        base({ matches: [file("p"), ...paths.slice(0, 1)], before: suggesting(filter("lang:go", 1)) }),
        narrowed([file("p"), ...paths.slice(0, 1)]),
      ],
      is: "not observed",
    },
    {
      name: "it finds everything again, with a `display` that cuts nothing off",
      searches: [base({}, { display: "1000" }), search({ q: "one lang:go", display: "1000" }, { matches: files })],
      is: "broken",
    },
    { name: "it was sent first", searches: [narrowed(files), base()], is: "broken" },
    { name: "it finds nothing, which another rule reports", searches: [base(), narrowed([])], is: "holds" },
    {
      name: "it finds everything at another commit",
      searches: [base(), narrowed(files.map((one) => ({ ...one, commit: "d" })))],
      is: "holds",
    },
    {
      name: "nobody tells commits",
      searches: [base({ matches: [file("a.go", ""), file("b.c", "")] }), narrowed([file("a.go", ""), file("b.c", "")])],
      is: "not observed",
    },
    {
      name: "it is no filter that was suggested",
      searches: [base(), narrowed(files, "lang:rust")],
      is: "not observed",
    },
    {
      name: "there may be files of one language alone",
      searches: [base({ before: suggesting(filter("lang:go", 3)) }), narrowed(files)],
      is: "not observed",
    },
    {
      name: "its filter keeps fewer matches than there are files",
      searches: [base({ before: suggesting(filter("lang:go", 2)) }), narrowed(files)],
      is: "broken",
    },
    ...["archived:yes", "fork:yes", "count:1000", "case:no"].map((added) => ({
      name: `it has \`${added}\`, which makes a search find more`,
      searches: [base({ before: suggesting(filter(added, 1), filter("lang:c", 2)) }), narrowed(files, added)],
      is: "not observed",
    })),
    ...["file:go$", "language:go", "r:a"].map((added) => ({
      name: `it finds everything again with \`${added}\``,
      searches: [base({ before: suggesting(filter(added, 1), filter("lang:c", 2)) }), narrowed(files, added)],
      is: "broken",
    })),
    {
      name: "its filter may keep more than it counts",
      searches: [base({ before: suggesting(filter("lang:go", 1, false), filter("lang:c", 2)) }), narrowed(files)],
      is: "not observed",
    },
    {
      name: "only some of the matches were wanted",
      searches: [
        base({ before: suggesting(filter("lang:go", 9), filter("lang:c", 9)) }, { display: "3" }),
        search({ q: "one lang:go", display: "3" }, { matches: files }),
      ],
      is: "not observed",
    },
    {
      name: "other filters name one repository in two ways",
      searches: [
        base({ before: suggesting(filter("repo:^a$", 9), filter("repo:^a$@b", 9)) }),
        narrowed(files, "repo:^a$"),
      ],
      is: "not observed",
    },
  ])("$name: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });
});
