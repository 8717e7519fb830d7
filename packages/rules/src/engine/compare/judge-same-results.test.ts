import { describe, expect, test } from "vitest";
import { createOutcomeBuilder } from "../rule-outcome.ts";
import { findBaselineOrReport, judgeSameResults } from "./judge-same-results.ts";
import { comparedSearches, usableSearch } from "../../testing/compared-searches.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { limitHit, linesIn, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const one: FoundSketch = { matches: [linesIn("a", [1])] };
const other: FoundSketch = { matches: [linesIn("a", [2])] };
const unidentified: FoundSketch = { matches: [linesIn("a", [1]), { type: "path" }] };
const limited = { ...one, skipped: limitHit };
const sent = (sentAtMicros: number, result: FoundSketch = one): ExchangeSketch => search({}, result, { sentAtMicros });

describe("two searches that have to find the same", () => {
  const judged = (base: readonly ExchangeSketch[], varied: ExchangeSketch) => {
    const pair = {
      repeats: comparedSearches(base),
      variedSearch: usableSearch({ id: "9", ...varied }),
      variation: "with another parameter",
    };
    const builder = createOutcomeBuilder();
    judgeSameResults(pair, builder.reporterFor("1"));
    const { observations, findings, notTested } = builder.build();
    const comparable = findBaselineOrReport(pair, createOutcomeBuilder().reporterFor("1")) !== undefined;
    // A rule that is not tested always has a reason.
    expect(observations > 0 || notTested !== undefined).toBe(true);
    return { comparable, observations, messages: findings.map(({ message }) => message) };
  };
  const repeats = [sent(10), sent(20)];
  const at = (commit: string, result: FoundSketch): FoundSketch => ({
    matches: (result.matches ?? []).map((match) => Object.assign({}, match, { commit })),
  });

  test.each<{ name: string; varied: ExchangeSketch; observations: number; messages: readonly string[] }>([
    { name: "hold when they do", varied: sent(15), observations: 1, messages: [] },
    {
      name: "break the rule when they do not",
      varied: sent(15, other),
      observations: 1,
      messages: [
        "search 9 with another parameter finds different results from search 1 without it: it lacks line 1 of `a` and also has line 2 of `a`",
      ],
    },
    {
      name: "say nothing where one does not say what it found",
      varied: sent(15, unidentified),
      observations: 0,
      messages: [],
    },
  ])("$name", ({ varied, observations, messages }) => {
    expect(judged(repeats, varied)).toEqual({ comparable: true, observations, messages });
  });

  test("are compared where they tell the same commit, whenever they were sent", () => {
    const base = [sent(10, at("a", one)), sent(12, at("b", other)), sent(20, at("a", one))];
    expect(judged(base, sent(30, at("a", other)))).toMatchObject({ comparable: true, observations: 1 });
    expect(judged(base, sent(30, at("a", other))).messages).toHaveLength(1);
  });

  test("are compared where only one copy tells the same commit", () => {
    const base = [sent(10, at("a", one)), sent(20, at("b", other))];
    expect(judged(base, sent(30, at("a", one)))).toEqual({ comparable: true, observations: 1, messages: [] });
    expect(judged(base, sent(30, at("a", other))).messages).toHaveLength(1);
  });

  test.each<{ name: string; before: ExchangeSketch }>([
    { name: "met another state", before: sent(10, at("b", other)) },
    { name: "found nothing", before: sent(10, {}) },
    { name: "reported a problem", before: sent(10, { ...at("a", other), skipped: [{ reason: "shard-timeout" }] }) },
    { name: "broke off", before: search({}, at("a", one), { sentAtMicros: 10, status: 503 }) },
  ])("are compared where a copy before $name, and those that were sent again tell the same commit", ({ before }) => {
    const base = [before, sent(20, at("a", one)), sent(30, at("a", one))];
    expect(judged(base, sent(25, at("a", one)))).toEqual({ comparable: true, observations: 1, messages: [] });
    expect(judged(base, sent(25, at("a", other))).messages).toHaveLength(1);
  });

  test.each([
    { name: "met other states", varied: sent(15, at("c", one)), why: "the searches saw different states of the index" },
    {
      name: "reported a problem",
      varied: sent(15, { skipped: [{ reason: "x" }] }),
      why: "a search reported a problem",
    },
  ])("say how often they were sent where they $name", ({ varied, why }) => {
    const pair = {
      repeats: comparedSearches([sent(10, at("a", one)), sent(20, at("b", one)), sent(30, at("a", one))]),
      variedSearch: usableSearch(varied),
      variation: "",
    };
    const builder = createOutcomeBuilder();
    findBaselineOrReport(pair, builder.reporterFor("1"));
    const { notTested } = builder.build();
    expect(notTested).toMatch(new RegExp(`^${why}.*although (?:they were|it was) sent 3 times`, "u"));
  });

  test.each<{ name: string; base: readonly ExchangeSketch[]; varied: ExchangeSketch }>([
    {
      name: "they tell other commits",
      base: [sent(10, at("a", one)), sent(20, at("a", one))],
      varied: sent(15, at("b", other)),
    },
    {
      name: "one found nothing, although commits are named",
      base: [sent(10, at("a", one)), sent(20, at("a", one))],
      varied: sent(15, {}),
    },
    {
      name: "two copies that tell the same commit differ",
      base: [sent(10, at("a", one)), sent(20, at("a", other))],
      varied: sent(15, at("a", other)),
    },
    { name: "one tells no commit", base: [sent(10, at("a", one)), sent(20, at("a", one))], varied: sent(15, other) },
    { name: "one was sent later", base: repeats, varied: sent(21, other) },
    { name: "one came to a limit", base: repeats, varied: sent(15, { ...other, skipped: limitHit }) },
    { name: "the other came to a limit", base: [sent(10, limited), sent(20, limited)], varied: sent(15, other) },
  ])("are not compared where $name", ({ base, varied }) => {
    expect(judged(base, varied)).toEqual({ comparable: false, observations: 0, messages: [] });
  });
});
