import type { RuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, linesIn, describeReport, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

type Query = Readonly<Record<string, string>>;

const inFile = (path: string, commit: string): object => ({
  ...linesIn(path, [1, 2]),
  commit,
});
const something: FoundSketch = {
  matches: [inFile("a", "c1"), inFile("b", "c1")],
  matchCount: 4,
};
const nothing: FoundSketch = { matches: [], matchCount: 0 };

/** Other searches that name the same commit. */
const referenceSearches = (commit = "c1"): readonly ExchangeSketch[] =>
  Array.from({ length: 8 }, (_, index) => search({ q: `other${index}` }, { matches: [inFile("a", commit)] }));

interface Case {
  readonly name: string;
  readonly id: RuleId;
  readonly base: Query;
  readonly varied: readonly Query[];
}

const word = { q: "word" };
const cases: readonly Case[] = [
  {
    name: "v=V3",
    id: "stream/omitted-v-is-v3",
    base: word,
    varied: [{ v: "V3" }, { v: "V3", cm: "true" }],
  },
  {
    name: "t=standard",
    id: "stream/omitted-t-is-standard",
    base: word,
    varied: [{ t: "standard" }, { t: "standard" }],
  },
  {
    name: "t=regexp",
    id: "stream/t-selects-pattern-type",
    base: word,
    varied: [{ t: "regexp" }, { t: "regexp" }],
  },
  {
    name: "t=regexp next to patternType:regexp",
    id: "stream/t-selects-pattern-type",
    base: { q: "w.rd patternType:regexp" },
    varied: [
      { q: "w.rd", t: "regexp" },
      { q: "w.rd", t: "regexp" },
    ],
  },
  {
    name: "cm=false",
    id: "stream/line-parameters-keep-files",
    base: word,
    varied: [{ cm: "false" }, { cm: "false" }],
  },
  {
    name: "cm",
    id: "stream/line-parameters-keep-files",
    base: word,
    varied: [{ cm: "true" }, { cm: "true", cl: "2" }],
  },
  {
    name: "cl",
    id: "stream/line-parameters-keep-files",
    base: { ...word, cm: "true" },
    varied: [
      { cm: "true", cl: "0" },
      { cm: "true", cl: "2" },
    ],
  },
  {
    name: "max-line-len",
    id: "stream/line-parameters-keep-files",
    base: { ...word, cm: "true" },
    varied: [
      { cm: "true", "max-line-len": "20" },
      { cm: "true", "max-line-len": "40" },
    ],
  },
  {
    name: "cl without cm",
    id: "stream/cl-needs-cm",
    base: word,
    varied: [{ cl: "2" }, { cl: "3" }],
  },
  {
    name: "max-line-len without cm",
    id: "stream/max-line-len-needs-chunks",
    base: word,
    varied: [{ "max-line-len": "20" }, { "max-line-len": "30" }],
  },
  {
    name: "display",
    id: "stream/display-keeps-counting",
    base: word,
    varied: [{ display: "2" }, { display: "7" }],
  },
  {
    name: "count",
    id: "stream/count-stops-no-earlier",
    base: word,
    varied: [{ q: "word count:1" }, { q: "word count:1" }],
  },
  {
    name: "count:all",
    id: "stream/count-all-finds-everything",
    base: word,
    varied: [{ q: "word count:all" }, { q: "word count:all" }],
  },
  {
    name: "patternType:",
    id: "stream/pattern-type-filter-selects",
    base: { ...word, t: "regexp" },
    varied: [{ q: "word patternType:regexp" }, { q: "word patternType:regexp" }],
  },
  {
    name: "t beside patternType:",
    id: "stream/pattern-type-filter-wins",
    base: { q: "word patternType:regexp" },
    varied: [
      { q: "word patternType:regexp", t: "keyword" },
      { q: "word patternType:regexp", t: "standard" },
    ],
  },
];

const asked = ({ varied }: Case, result: FoundSketch): readonly ExchangeSketch[] =>
  varied.map((query) => search({ ...word, ...query }, result));

/** Every query that the varied ones are compared with finds something. */
const basesOf = ({ base, varied }: Case): readonly ExchangeSketch[] => [
  search(base, something),
  ...varied
    .filter(({ v, cm }) => v !== undefined && cm !== undefined)
    .map(({ cm }) => search({ ...word, cm: cm ?? "" }, something)),
];

describe("a parameter with which a search finds nothing", () => {
  test.each(cases)("fails for $name", (one) => {
    expect(describeReport(one.id, [...basesOf(one), ...asked(one, nothing), ...referenceSearches()])).toBe("broken");
  });

  const [version] = cases;
  const fails = (searches: readonly ExchangeSketch[]): boolean =>
    reportOf("stream/omitted-v-is-v3", searches).violations.length > 0;
  const of = version ?? {
    name: "",
    id: "stream/omitted-v-is-v3",
    base: word,
    varied: [],
  };
  const empty = asked(of, nothing);

  test("fails if that happens on reused connections only", () => {
    const reused = [...basesOf(of), ...empty, ...referenceSearches()].map((one): ExchangeSketch => ({
      ...one,
      reusesConnection: true,
    }));
    expect(fails([...basesOf(of), ...asked(of, something), ...reused])).toBe(true);
  });

  test.each<{ name: string; searches: readonly ExchangeSketch[] }>([
    {
      name: "it was sent once",
      searches: [search(word, something), search({ ...word, v: "V3" }, nothing), ...referenceSearches()],
    },
    {
      name: "one with it finds something",
      searches: [...basesOf(of), ...empty, search({ ...word, v: "V3" }, something), ...referenceSearches()],
    },
    {
      name: "one without it finds nothing",
      searches: [...basesOf(of), search(word, nothing), ...empty, ...referenceSearches()],
    },
    {
      name: "few searches name the commit",
      searches: [...basesOf(of), ...empty, ...referenceSearches().slice(0, 2)],
    },
    {
      name: "a search names another commit",
      searches: [...basesOf(of), ...empty, ...referenceSearches(), ...referenceSearches("c2").slice(0, 1)],
    },
    {
      name: "an equal search found something, and nothing another time",
      searches: [...basesOf(of), ...empty, ...referenceSearches(), search({ q: "other1" }, nothing)],
    },
    {
      name: "it names what it skipped",
      searches: [
        ...basesOf(of),
        ...asked(of, { ...nothing, skipped: [{ reason: "shard-timeout" }] }),
        ...referenceSearches(),
      ],
    },
    {
      name: "it counts matches",
      searches: [...basesOf(of), ...asked(of, { ...nothing, matchCount: 3 }), ...referenceSearches()],
    },
    {
      name: "it stopped at a limit",
      searches: [
        ...basesOf(of),
        ...asked(of, {
          ...nothing,
          skipped: [{ reason: "shard-match-limit" }],
        }),
        ...referenceSearches(),
      ],
    },
    {
      name: "it is somebody else's",
      searches: [
        ...basesOf(of),
        ...empty.map((one) => ({ ...one, credential: "oauth-token" as const })),
        ...referenceSearches(),
      ],
    },
  ])("does not fail where $name", ({ searches }) => {
    expect(fails(searches)).toBe(false);
  });

  test("fails for `t=regexp` of a word and of an expression together", () => {
    const searches = [
      search(word, something),
      search({ q: "w.rd patternType:regexp" }, something),
      search({ ...word, t: "regexp" }, nothing),
      search({ q: "w.rd", t: "regexp" }, nothing),
      // A type in the query makes `t` idle.
      search({ q: "other0 patternType:standard", t: "regexp" }, { matches: [inFile("a", "c1")] }),
      ...referenceSearches(),
    ];
    expect(describeReport("stream/t-selects-pattern-type", searches)).toBe("broken");
  });

  test("does not fail for `t=regexp` where the text alone finds something", () => {
    const twice = [1, 2].map(() => search({ q: "w.rd", t: "regexp" }, nothing));
    const searches = [search({ q: "w.rd" }, something), ...twice, ...referenceSearches()];
    expect(reportOf("stream/t-selects-pattern-type", searches).violations).toEqual([]);
  });

  test("fails for `t=standard` although a query with a type of its own finds something", () => {
    const searches = [
      search(word, something),
      search({ q: "two words" }, something),
      search({ ...word, t: "standard" }, nothing),
      search({ q: "two words", t: "standard" }, nothing),
      search({ q: "w.rd patternType:regexp" }, something),
      search({ q: "w.rd patternType:regexp", t: "standard" }, something),
      ...referenceSearches(),
    ];
    expect(describeReport("stream/omitted-t-is-standard", searches)).toBe("broken");
  });

  test.each([
    [2, "broken"],
    [1, "passed"],
  ])(
    "fails for a parameter that finds nothing together with another one, if %i such searches show it",
    (times, end) => {
      const searches = [
        search(word, something),
        search({ ...word, v: "V3" }, something),
        search({ ...word, cm: "true" }, something),
        ...Array.from({ length: times }, () => search({ ...word, cm: "true", v: "V3" }, nothing)),
        ...referenceSearches(),
      ];
      const { violations } = reportOf("stream/omitted-v-is-v3", searches);
      expect(violations.length > 0 ? "broken" : "passed").toBe(end);
    },
  );

  test("fails if it finds nothing together with another one, whose search with another value finds nothing either", () => {
    const chunked = (more: Query): ExchangeSketch => search({ ...word, display: "9", cm: "true", ...more }, nothing);
    const searches = [
      search({ ...word, display: "9" }, something),
      search({ ...word, cm: "true" }, something),
      chunked({ cl: "2" }),
      chunked({ cl: "2" }),
      chunked({ "max-line-len": "20" }),
      ...referenceSearches(),
    ];
    expect(describeReport("stream/line-parameters-keep-files", searches)).toBe("broken");
  });

  test("is reported with the searches", () => {
    const { violations } = reportOf("stream/omitted-v-is-v3", [...basesOf(of), ...empty, ...referenceSearches()]);
    expect(violations).toMatchObject([
      {
        exchange: "3",
        code: "finds-less",
        message:
          "searches 3, 4 with `v=V3` find nothing, but search 1 without it finds matches in 2 files of the same commit",
      },
    ]);
  });
});
