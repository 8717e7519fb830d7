import { describe, expect, test } from "vitest";
import { allRules, createEvidenceJudge } from "../../index.ts";
import type { Rule } from "../../index.ts";
import { defineComparison, hasBoth, maxGroupSize } from "./define-comparison.ts";
import { searchKey } from "./search.ts";
import { exchangeRecord, judgedBy } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { files, search } from "../../testing/searches.ts";

/** Compares searches that set `v` with those that do not, and records the groups. A group whose ids together are in `failing` fails. */
function comparison(failing: readonly string[] = []): {
  readonly rule: Rule;
  readonly groups: (readonly string[])[];
} {
  const groups: (readonly string[])[] = [];
  const rule = defineComparison({
    id: "stream/omitted-v-is-v3",
    groupKey: (one) => (one.parameters.has("t") ? undefined : searchKey(one, { v: undefined })),
    hasPair: hasBoth(
      ({ parameters }) => parameters.has("v"),
      ({ parameters }) => !parameters.has("v"),
    ),
    judge: (group, reportFor) => {
      const ids = group.map(({ exchange }) => exchange.record.id);
      groups.push(ids);
      const report = reportFor(ids[0] ?? "");
      report.notTested("undecided");
      if (failing.includes(ids.join(" "))) {
        report.violation({ code: "finds-less", message: `the results of ${ids.join(" ")} differ` });
      }
    },
  });
  return { rule, groups };
}

const one = (query: Readonly<Record<string, string>> = {}, more: Partial<ExchangeSketch> = {}): ExchangeSketch =>
  search(query, { matches: files(1) }, more);

/** Which searches the rule was shown together, and of which ones the results were kept. */
function compared(searches: readonly ExchangeSketch[]) {
  const { rule, groups } = comparison();
  const kept = judgedBy([rule], searches).exchanges.filter(({ results }) => results !== undefined);
  return { groups, kept: kept.map(({ record }) => record.id) };
}

describe("a rule that compares", () => {
  test("is shown the searches of a group together, and their results are kept", () => {
    expect(compared([one(), one({ q: "other" }), one({ v: "V3" }), one()])).toEqual({
      groups: [["1", "3", "4"]],
      kept: ["1", "3", "4"],
    });
  });

  test.each<{ name: string; searches: readonly ExchangeSketch[] }>([
    { name: "one search", searches: [one()] },
    { name: "copies of one search", searches: [one(), one()] },
    { name: "searches of different groups", searches: [one(), one({ q: "other", v: "V3" })] },
    { name: "searches of different people", searches: [one(), one({ v: "V3" }, { credential: "none" })] },
    { name: "searches that it is not about", searches: [one({ t: "regexp" }), one({ t: "regexp", v: "V3" })] },
    { name: "searches without a query", searches: [one({ q: "" }), one({ q: "", v: "V3" })] },
    { name: "nothing", searches: [] },
  ])("is shown nothing of $name, and no results are kept", ({ searches }) => {
    expect(compared(searches)).toEqual({ groups: [], kept: [] });
  });

  test("is shown every group that has a pair", () => {
    const searches = [one(), one({ q: "other" }), one({ q: "other", v: "V3" }), one({ v: "V3" }), one({ q: "third" })];
    expect(compared(searches).groups).toEqual([
      ["1", "4"],
      ["2", "3"],
    ]);
  });

  test("is shown a search without a stream too", () => {
    expect(compared([one(), { query: { q: "words", v: "V3" } }])).toEqual({ groups: [["1", "2"]], kept: ["1"] });
  });

  test("is shown the first 80 searches of a group", () => {
    const searches = [one({ v: "V3" }), ...Array.from({ length: 90 }, () => one())];
    const { groups, kept } = compared(searches);
    expect([maxGroupSize, groups[0]?.length, kept.length]).toEqual([80, 80, 80]);
    expect(groups[0]?.slice(0, 2)).toEqual(["1", "2"]);
  });
});

describe("searches on reused connections and others", () => {
  const reused = { reusesConnection: true } as const;
  const searches = [one(), one({ v: "V3" }), one({}, reused), one({ v: "V3" }, reused)];
  const outcome = (failing: readonly string[], sketches = searches) => {
    const { rule, groups } = comparison(failing);
    const report = judgedBy([rule], sketches).outcomes.get("stream/omitted-v-is-v3");
    return {
      groups: groups.map((ids) => ids.join(" ")),
      observations: report?.observations,
      messages: report?.findings.map(({ message }) => message),
    };
  };

  test("are compared with each other, then by themselves", () => {
    expect(outcome([])).toEqual({ groups: ["1 2 3 4", "3 4", "1 2"], observations: 0, messages: [] });
  });

  test.each(["3 4", "1 2"])("fail by themselves: %s", (ids) => {
    const { observations, messages } = outcome([ids]);
    expect({ observations, messages }).toEqual({ observations: 1, messages: [`the results of ${ids} differ`] });
  });

  test("fail once if all fail together", () => {
    expect(outcome(["1 2 3 4", "3 4"])).toEqual({
      groups: ["1 2 3 4"],
      observations: 0,
      messages: ["the results of 1 2 3 4 differ"],
    });
  });

  test("are not compared by themselves without a pair", () => {
    expect(outcome([], searches.slice(0, 3)).groups).toEqual(["1 2 3", "1 2"]);
  });
});

describe("the results of a run", () => {
  test("are kept for no plain search", () => {
    const searches = [one(), one({ q: "other" }), one({ q: "words count:1" }, { credential: "none" })];
    expect(judgedBy(allRules, searches).exchanges.map(({ results }) => results)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("are kept for no two copies of a search", () => {
    const searches = [
      one({ q: "words count:7" }),
      one({ q: "words count:7" }),
      one({ q: "words count:7", t: "keyword" }),
    ];
    expect(judgedBy(allRules, searches).exchanges.map(({ results }) => results)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each<{ name: string; queries: readonly Readonly<Record<string, string>>[] }>([
    { name: "`count:all`", queries: [{ q: "words count:all" }, { q: "words count:all" }] },
    { name: "`display`", queries: [{ display: "5" }, { display: "6" }] },
    { name: "a pattern type", queries: [{ t: "standard" }, { t: "standard" }] },
    {
      name: "a pattern type against that of the query",
      queries: [
        { q: "words patternType:regexp", t: "standard" },
        { q: "words patternType:regexp", t: "keyword" },
      ],
    },
    {
      name: "a pattern type against that of the query, and none",
      queries: [{ q: "words patternType:regexp", t: "standard" }, {}],
    },
    {
      name: "a pattern type, and one in the query",
      queries: [{ q: "words patternType:regexp" }, { t: "keyword" }],
    },
  ])("are kept for no searches that are alike in what a rule is about: $name", ({ queries }) => {
    const { exchanges } = judgedBy(
      allRules,
      queries.map((query) => one(query)),
    );
    expect(exchanges.map(({ results }) => results)).toEqual([undefined, undefined]);
  });

  test("are not kept if the searches were not announced", () => {
    const { rule, groups } = comparison();
    const judge = createEvidenceJudge([rule], { access: "undeclared" });
    for (const sketch of [one(), one({ v: "V3" })]) {
      const stream = judge.openStream(exchangeRecord(sketch));
      stream.push(Buffer.from(sketch.body ?? ""), 0);
      stream.finish({ isComplete: true });
    }
    expect(judge.finish().exchanges.map(({ results }) => results)).toEqual([undefined, undefined]);
    expect(groups).toEqual([["0001", "0001"]]);
  });

  test("are those of each search alone", () => {
    const { rule } = comparison();
    const searches = [search({}, { matches: files(2) }), search({ v: "V3" }, { matches: files(3) })];
    expect(judgedBy([rule], searches).exchanges.map(({ results }) => results?.files.size)).toEqual([2, 3]);
  });
});
