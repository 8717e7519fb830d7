import { isStreamRuleId, ruleIds as allRuleIds, ruleRecord, searchParameters } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import { contentMatch, matchesEvent } from "../testing/content-match.ts";
import { defaultQuery, planProbes, estimateDerivedSearches, createStreamProbes } from "./stream-probes.ts";

const ruleIds = allRuleIds.filter((id) => isStreamRuleId(id));
const probes = createStreamProbes(defaultQuery);
const found = recorded({ body: matchesEvent([contentMatch({})]) });
const idsFor = (rules: Parameters<typeof planProbes>[0]): readonly string[] =>
  planProbes(rules, defaultQuery).probes.map(({ id }) => id);

describe("the probes", () => {
  test("have unique ids", () => {
    expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
  });

  test("include every access search that the record of a rule names", () => {
    const named = ruleIds.flatMap((id) => ruleRecord(id).probes);
    const sent = new Set<string>(probes.flatMap(({ id, purpose }) => (purpose === "access" ? [id] : [])));
    expect(named).not.toEqual([]);
    expect(named.filter((id) => !sent.has(id))).toEqual([]);
  });

  test("begin with a search that sets nothing but the query", () => {
    expect(probes[0]).toMatchObject({ id: "search", credential: "main", parameters: { q: defaultQuery } });
    expect(Object.keys(probes[0]?.parameters ?? {})).toEqual(["q"]);
  });

  test.each(searchParameters)("send the documented parameter %s", (name) => {
    expect(probes.filter(({ parameters }) => Object.hasOwn(parameters, name))).not.toEqual([]);
  });

  test("with parameters have the query of the plain search, so that the two can be compared", () => {
    const queries = probes.filter(({ purpose }) => purpose !== "stream").map(({ parameters }) => parameters.q);
    expect(new Set(queries)).toEqual(new Set([defaultQuery]));
  });

  test.each([
    ["test count:200", "test type:path count:20", "test count:1"],
    ["a count:5 b -type:diff", "a b type:path count:20", "a b count:1"],
    ["type:symbol count:9", "type:path count:20", "count:1"],
    ["discount:5", "discount:5 type:path count:20", "discount:5 count:1"],
  ])("of the query `%s` set their own filters: `%s`, `%s`", (query, paths, cutOff) => {
    const asked = new Map(createStreamProbes(query).map(({ id, parameters }) => [id, parameters.q]));
    expect([asked.get("paths"), asked.get("cut-off")]).toEqual([paths, cutOff]);
  });
});

describe("the probes of a selection", () => {
  test.each(ruleIds.map((id) => ({ id })))("begin with the plain search for $id", ({ id }) => {
    expect(idsFor([id])[0]).toBe("search");
  });

  test("are none without a rule about streams", () => {
    expect(idsFor(allRuleIds.filter((id) => !isStreamRuleId(id)))).toEqual([]);
  });

  test.each(ruleIds.map((id) => ({ id })))("have every purpose that $id needs", ({ id }) => {
    const plan = planProbes([id], defaultQuery);
    const sent = [...plan.probes, ...plan.followUps(found)].map(({ purpose }) => purpose);
    expect(sent).toEqual(expect.arrayContaining([...ruleRecord(id).searches]));
  });

  test("lead to searches of one file only if a rule compares searches", () => {
    const comparing = ruleIds.filter((id) => planProbes([id], defaultQuery).followUps(found).length > 0);
    expect(comparing).toEqual(ruleIds.filter((id) => ruleRecord(id).searches.includes("comparison")));
    expect(comparing.length).toBeGreaterThan(5);
  });

  test("lead to no further searches if no file was found", () => {
    expect(planProbes(ruleIds, defaultQuery).followUps(recorded({ body: "" }))).toEqual([]);
  });

  test("are all of them for all rules", () => {
    expect(planProbes(ruleIds, defaultQuery).probes).toEqual(probes);
  });

  test.each([
    {
      name: "access to search",
      rule: "stream/oauth-token-is-accepted",
      sent: ["search", ...probes.filter(({ purpose }) => purpose === "access").map(({ id }) => id)],
    },
    {
      name: "the effect of `display`",
      rule: "stream/display-bounds-matches",
      sent: ["search", ...probes.filter(({ purpose }) => purpose === "parameters").map(({ id }) => id)],
    },
    {
      name: "the form of a stream",
      rule: "stream/done-is-last",
      sent: probes.filter(({ purpose }) => purpose === "stream").map(({ id }) => id),
    },
  ] as const)("are few for a rule about $name", ({ rule, sent }) => {
    expect(idsFor([rule])).toEqual(sent);
  });
});

const wireEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

describe("the last searches", () => {
  const { finalProbes } = planProbes(ruleIds, defaultQuery);
  const followUps = planProbes(ruleIds, defaultQuery).followUps(found);
  const pathsWith = (count: number): string =>
    matchesEvent(Array.from({ length: count }, (_, index) => ({ type: "path", path: String(index) })));
  const final = (more: object): string => wireEvent("progress", { done: true, matchCount: 2, ...more });
  const suggested = (...filters: readonly object[]): string => wireEvent("filters", filters);
  const probesAfter = (answers: Readonly<Record<string, string>>) =>
    finalProbes?.probes(followUps, (id) => (answers[id] === undefined ? undefined : recorded({ body: answers[id] }))) ??
    [];
  const idsAfter = (answers: Readonly<Record<string, string>>): readonly string[] =>
    probesAfter(answers).map(({ id }) => id);
  const together = ["", "-without-t", "-without-v-t", "-without-cl", "-without-cm-cl"];
  const again = ["pivot-cl-0", ...together.map((end) => `together${end}`), "together-filter"]
    .concat(["dotted", "filter", "pivot"])
    .map((id) => `${id}-again`);

  test.each([
    [404, []],
    [429, []],
    [500, ["nothing-found-again", "problem-again"]],
    [503, ["nothing-found-again", "problem-again"]],
  ])("begin with the plain searches that were answered with %i, if that is a server error", (status, expected) => {
    const asked = new Set(["nothing-found", "problem"]);
    for (const rules of [ruleIds, ["stream/answer-is-a-stream"] as const]) {
      const { finalProbes: lastOf } = planProbes(rules, defaultQuery);
      const answer = (id: string) =>
        asked.has(id) && lastOf?.sourceProbeIds.has(id) === true ? recorded({ status }) : undefined;
      expect(lastOf?.probes([], answer).map(({ id }) => id)).toEqual(expected);
    }
  });

  const withoutCommits = matchesEvent([{ type: "content", repository: "a", path: "b" }]);
  const withCommits = matchesEvent([{ ...contentMatch({}), commit: "a" }]);

  test("repeat those that others are compared with if no commits are named", () => {
    expect(idsAfter({ pivot: withoutCommits }).filter((id) => !id.startsWith("swapped"))).toEqual(again);
    expect(idsAfter({ search: withoutCommits }).slice(0, 2)).toEqual([
      "search-again",
      "parameter-all-but-display-again",
    ]);
  });

  test("repeat only two if commits are named", () => {
    expect(idsAfter({ pivot: withCommits, search: withCommits })).toEqual(["together-again", "pivot-again"]);
  });

  describe("have a line limit", () => {
    const chunks = (...texts: readonly string[]): string =>
      matchesEvent([{ type: "content", chunkMatches: texts.map((context) => ({ context })) }]);
    const limitsAfter = (answers: Readonly<Record<string, string>>): readonly unknown[] =>
      probesAfter(answers)
        .filter(({ id }) => id.endsWith("-max-line-len-longest"))
        .map(({ id, parameters }) => [id, parameters["max-line-len"]]);
    test.each([
      {
        name: "of the longest line of a chunk, and room for its end",
        answers: { together: chunks("a\nbcd\n", "größe") },
        limits: [["together-max-line-len-longest", "9"]],
      },
      {
        name: "from the search with few parameters if the other one finds nothing",
        answers: { together: chunks(), "pivot-cl-0": chunks("a") },
        limits: [["pivot-cl-0-max-line-len-longest", "3"]],
      },
      {
        name: "from one search only",
        answers: { together: chunks("a"), "pivot-cl-0": chunks("bc") },
        limits: [["together-max-line-len-longest", "3"]],
      },
      { name: "only if there are chunk matches", answers: { together: withCommits, pivot: withCommits }, limits: [] },
    ])("$name", ({ answers, limits }) => {
      expect(limitsAfter(answers)).toEqual(limits);
    });
  });

  test.each([
    { name: "are named", body: pathsWith(2).replaceAll('"path":', '"commit":"a","path":'), isRepeated: false },
    { name: "are not named", body: pathsWith(2), isRepeated: true },
  ])("repeat the search for paths if commits $name: $isRepeated", ({ body, isRepeated }) => {
    const ids = idsAfter({ "all-paths-together-limit": body + final({}) });
    expect(ids).toContain("all-paths-together-all");
    expect(ids.includes("all-paths-together-limit-again")).toBe(isRepeated);
  });

  test.each([
    { name: "all was found", body: pathsWith(2) + final({}), isAsked: true },
    { name: "nothing was found", body: pathsWith(0) + final({}), isAsked: false },
    { name: "a thousand were found", body: pathsWith(1000) + final({}), isAsked: false },
    { name: "a thousand were counted", body: pathsWith(2) + final({ matchCount: 1000 }), isAsked: false },
    {
      name: "a limit was reached",
      body: pathsWith(2) + final({ skipped: [{ reason: "shard-match-limit" }] }),
      isAsked: false,
    },
    {
      name: "archives were left out",
      body: pathsWith(2) + final({ skipped: [{ reason: "excluded-archive" }] }),
      isAsked: true,
    },
    { name: "the search did not end", body: pathsWith(2), isAsked: false },
  ])("ask for every path if $name: $isAsked", ({ body, isAsked }) => {
    expect(idsAfter({ "all-paths-together-limit": body }).includes("all-paths-together-all")).toBe(isAsked);
  });

  test.each([
    {
      name: "a language and a repository",
      filters: [
        { kind: "lang", value: "lang:go", count: 1 },
        { kind: "repo", value: "repo:a", count: 2 },
      ],
      added: " repo:a lang:go",
    },
    { name: "nothing", filters: [], added: undefined },
    { name: "another kind", filters: [{ kind: "utility", value: "archived:yes", count: 1 }], added: undefined },
    { name: "nothing that is counted", filters: [{ kind: "lang", value: "lang:go", count: 0 }], added: undefined },
    { name: "no text", filters: [{ kind: "lang", value: 5, count: 1 }], added: undefined },
    { name: "several lines", filters: [{ kind: "lang", value: "lang:\ngo", count: 1 }], added: undefined },
  ])("narrow the search of one file where it suggests $name", ({ filters, added }) => {
    const sent = finalProbes?.probes(followUps, (id) =>
      id === "pivot" ? recorded({ body: suggested(...filters) }) : undefined,
    );
    const [pivot] = followUps;
    const narrowed = sent?.find(({ id }) => id === "pivot-narrowed");
    expect(narrowed?.parameters.q).toBe(added === undefined ? undefined : `${pivot?.parameters.q}${added}`);
  });

  const goAndC = suggested(
    { kind: "lang", value: "lang:go", count: 1, exhaustive: true },
    { kind: "lang", value: "lang:c", count: 2, exhaustive: true },
  );
  const one = suggested({ kind: "utility", value: "archived:yes", count: 1 });
  test.each([
    {
      name: "the one with exhaustive counts",
      answers: { "not-cut-off": goAndC, search: one },
      base: "not-cut-off",
      tries: 2,
    },
    {
      name: "the next that did",
      answers: { "not-cut-off": one, "cut-off-late": goAndC },
      base: "cut-off-late",
      tries: 2,
    },
    {
      name: "else the plain one",
      answers: { "not-cut-off": one, "cut-off-late": one, search: one },
      base: "search",
      tries: 1,
    },
  ])(
    "try what a search suggests, the first twice and with chunk matches, and then it again: $name",
    ({ answers, base, tries }) => {
      const narrowed = probesAfter(answers).filter(({ id }) => id.startsWith("narrowed"));
      const ids = narrowed.map(({ id }) => id);
      const tried = ids.filter((id) => /^narrowed-\d+$/u.test(id));
      expect(tried).toHaveLength(tries);
      expect(ids).toEqual([...tried, "narrowed-1-again", "narrowed-1-cm", "narrowed"]);
      expect(narrowed.at(-1)?.parameters).toEqual(probes.find(({ id }) => id === base)?.parameters);
    },
  );

  test("narrow nothing if nothing is suggested", () => {
    expect(idsAfter({ search: final({}) }).filter((id) => id.startsWith("narrowed"))).toEqual([]);
  });

  test("are no more than the run estimates", () => {
    const many = ["repo", "lang", "type", "utility", "else"].flatMap((kind) =>
      Array.from({ length: 9 }, (_, index) => ({ kind, value: `${kind}:${index}`, count: index + 1 })),
    );
    const all = { search: suggested(...many), "all-paths-together-limit": pathsWith(2) + final({}) };
    const led = followUps.length + idsAfter({ ...all, "cut-off-late": all["all-paths-together-limit"] }).length;
    expect(led).toBeLessThanOrEqual(estimateDerivedSearches(ruleIds));
    expect(idsAfter(all).filter((id) => /^narrowed-\d+$/u.test(id))).toHaveLength(8);
  });
});
