import { describe, expect, test } from "vitest";
import { createOutcomeBuilder } from "../../engine/rule-outcome.ts";
import { areComparable, judgeSameResults } from "./judge-same-results.ts";
import { stableSearch } from "./stable-search.ts";
import { comparedSearches, usableSearch } from "../../testing/compared-searches.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { limitHit, linesIn, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const one: FoundSketch = { matches: [linesIn("a", [1])] };
const other: FoundSketch = { matches: [linesIn("a", [2])] };
const blurred: FoundSketch = { matches: [linesIn("a", [1]), { type: "path" }] };
const limited = { ...one, skipped: limitHit };
const sent = (sentAtMicros: number, result: FoundSketch = one): ExchangeSketch => search({}, result, { sentAtMicros });

describe("two searches that have to find the same", () => {
  const judged = (base: readonly ExchangeSketch[], varied: ExchangeSketch) => {
    const found = stableSearch(comparedSearches(base));
    if (found === undefined) {
      throw new Error("The search is stable.");
    }
    const pair = { base: found, varied: usableSearch({ id: "9", ...varied }), how: "with another parameter" };
    const builder = createOutcomeBuilder();
    judgeSameResults(pair, builder.reporterFor("1"));
    const { observations, findings } = builder.build();
    return { comparable: areComparable(pair), observations, messages: findings.map(({ message }) => message) };
  };
  const copies = [sent(10), sent(20)];

  test.each<{ name: string; varied: ExchangeSketch; observations: number; messages: readonly string[] }>([
    { name: "hold when they do", varied: sent(15), observations: 1, messages: [] },
    {
      name: "break the rule when they do not",
      varied: sent(15, other),
      observations: 1,
      messages: [
        "search 9 with another parameter finds other things than search 1 without it: it lacks line 1 of `a` and has line 2 of `a` besides",
      ],
    },
    {
      name: "say nothing where one does not say what it found",
      varied: sent(15, blurred),
      observations: 0,
      messages: [],
    },
  ])("$name", ({ varied, observations, messages }) => {
    expect(judged(copies, varied)).toEqual({ comparable: true, observations, messages });
  });

  test.each<{ name: string; base: readonly ExchangeSketch[]; varied: ExchangeSketch }>([
    { name: "one was sent later", base: copies, varied: sent(21, other) },
    { name: "one came to a limit", base: copies, varied: sent(15, { ...other, skipped: limitHit }) },
    { name: "the other came to a limit", base: [sent(10, limited), sent(20, limited)], varied: sent(15, other) },
  ])("are not compared where $name", ({ base, varied }) => {
    expect(judged(base, varied)).toEqual({ comparable: false, observations: 0, messages: [] });
  });
});
