import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hasJudgedExchanges,
  isFullyJudged,
  type JudgedGroup,
  describeJudgement,
  type LoadRule,
  loadRuleOutcomes,
  type KnownLoadRule,
  mergeKnownRules,
  mergeLoadRules,
} from "./load-judgement.ts";

const nothing = { judged: 0, brokenOff: 0, unanswered: 0, thinnedOut: 0, lost: 0 };
const group = (changes: Partial<JudgedGroup> & Pick<JudgedGroup, "sent">): JudgedGroup => ({
  group: "search",
  ...nothing,
  ...changes,
});

describe("the sentence of a judgement", () => {
  test.each<[string, readonly JudgedGroup[], string]>([
    ["without any exchange", [], "no exchange of the load was stored, so none was checked"],
    [
      "without any answer",
      [group({ sent: 20, unanswered: 20 }), { ...group({ sent: 1, unanswered: 1 }), group: "conversation" }],
      "nothing was checked: none of 21 exchanges had an answer of the API",
    ],
    ["if all were judged", [group({ sent: 42_118, judged: 42_118 })], "42,118 of 42,118 exchanges were checked"],
    [
      "does not round to 100 %",
      [group({ sent: 100_000, judged: 99_999, lost: 1 })],
      "99,999 of 100,000 exchanges were checked completely (99.9 %); 1 was not stored because the recorder could not keep up",
    ],
    [
      "does not round to 0 %",
      [group({ sent: 100_000, judged: 1, thinnedOut: 99_999 })],
      "1 of 100,000 exchanges were checked completely (0.1 %); 99,999 were left out at random because the files were full, or filled too fast",
    ],
    [
      "adds up the counts of all kinds",
      [
        group({ sent: 10, judged: 5, brokenOff: 2, unanswered: 1, thinnedOut: 1, lost: 1 }),
        {
          ...group({ sent: 10, judged: 4, brokenOff: 1, unanswered: 1, thinnedOut: 1, lost: 1 }),
          group: "conversation",
        },
      ],
      "9 of 20 exchanges were checked completely (45 %); 3 broke off and were checked up to that point, 2 had no answer to check, 2 were left out at random because the files were full, or filled too fast, 2 were not stored because the recorder could not keep up, 2 are not on the disk",
    ],
  ])("%s", (_name, groups, sentence) => {
    expect(describeJudgement(groups)).toBe(sentence);
  });

  test.each<[string, Partial<JudgedGroup>, readonly string[], boolean]>([
    ["all were judged", { judged: 3 }, [], true],
    ["one broke off", { judged: 2, brokenOff: 1 }, [], false],
    ["the disk was full", { judged: 3 }, ["the disk is full"], false],
  ])("a judgement is complete only if all exchanges were read and judged: %s", (...[, counts, problems, isWhole]) => {
    expect(isFullyJudged({ groups: [group({ sent: 3, ...counts })], problems })).toBe(isWhole);
  });

  test.each<[string, readonly JudgedGroup[], boolean]>([
    ["without any exchange", [], false],
    ["without any answer", [group({ sent: 2, unanswered: 2 })], false],
    ["with one that broke off", [group({ sent: 2, unanswered: 1, brokenOff: 1 })], true],
    ["with a complete one", [group({ sent: 2, unanswered: 1, judged: 1 })], true],
  ])("whether anything was judged: %s", (_name, groups, isAnything) => {
    expect([hasJudgedExchanges({ groups }), isFullyJudged({ groups, problems: [] })]).toEqual([isAnything, false]);
  });
});

describe("the merged outcome of a rule", () => {
  const r = (outcome: LoadRule["outcome"], changes: Partial<LoadRule> = {}): LoadRule => ({
    rule: "r",
    outcome,
    ...changes,
  });
  test.each<[string, LoadRule, LoadRule, LoadRule]>([
    ["failed in one part is failed", r("failed"), r("passed", { confirmed: true }), r("failed")],
    [
      "not tested in one part is the outcome of the other",
      r("not-tested"),
      r("passed", { confirmed: true }),
      r("passed", { confirmed: true }),
    ],
    ["blocked in one part is blocked", r("blocked", { reason: "why" }), r("passed"), r("blocked", { reason: "why" })],
    ["warned in one part is warned", r("passed"), r("warned", { reason: "x" }), r("warned", { reason: "x" })],
    ["confirmed in one part only is not confirmed", r("passed", { confirmed: true }), r("passed"), r("passed")],
    [
      "confirmed in both parts is confirmed",
      r("passed", { confirmed: true }),
      r("passed", { confirmed: true }),
      r("passed", { confirmed: true }),
    ],
    ["left to the canary stays so", r("compares-searches"), r("compares-searches"), r("compares-searches")],
  ])("%s", (...[, one, other, merged]) => {
    expect([mergeLoadRules([[one], [other]]), mergeLoadRules([[other], [one]])]).toEqual([[merged], [merged]]);
  });

  const anyRule = fc
    .tuple(
      fc.constantFrom("a", "b", "c"),
      fc.constantFrom(...loadRuleOutcomes),
      fc.boolean(),
      fc.constantFrom("x", "y", undefined),
    )
    .map(([rule, outcome, isProven, reason]): LoadRule => ({
      rule,
      outcome,
      ...(isProven && outcome === "passed" ? { confirmed: true } : {}),
      ...(reason === undefined ? {} : { reason }),
    }));
  const worse = new Set(["failed", "blocked", "warned"]);
  const part = fc.uniqueArray(anyRule, { selector: ({ rule }) => rule });
  const byRule = (rules: readonly LoadRule[]) => new Map(rules.map((rule) => [rule.rule, rule]));

  test("does not depend on the order of merging", () => {
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        expect(byRule(mergeLoadRules([a, b]))).toEqual(byRule(mergeLoadRules([b, a])));
        const all = byRule(mergeLoadRules([a, b, c]));
        expect(byRule(mergeLoadRules([mergeLoadRules([a, b]), c]))).toEqual(all);
        expect(byRule(mergeLoadRules([a, mergeLoadRules([b, c])]))).toEqual(all);
        expect(mergeLoadRules([a, a])).toEqual(a);
      }),
    );
  });

  test("is passed only if no part has a worse outcome, and confirmed only if every part that passed is confirmed", () => {
    fc.assert(
      fc.property(part, part, (a, b) => {
        const held = mergeLoadRules([a, b]).filter(({ outcome }) => outcome === "passed");
        for (const { rule, confirmed } of held) {
          const own = [...a, ...b].filter((one) => one.rule === rule);
          expect(own.filter(({ outcome }) => worse.has(outcome))).toEqual([]);
          expect(confirmed).toBe(own.every((one) => one.outcome !== "passed" || one.confirmed) ? true : undefined);
        }
      }),
    );
  });
});

test("a known failure is listed once for each target, and one that fails in a part is not fixed", () => {
  const one = (status: KnownLoadRule["known"]["status"], changes: Partial<KnownLoadRule> = {}): KnownLoadRule => ({
    rule: "r",
    title: "R",
    known: { status, reason: "why", owner: "a", source: "known.txt", line: 3 },
    ...changes,
  });
  const fixed = one("fixed");
  const failing = one("known-failure", { violations: 2, message: "m" });
  const ofOther = one("fixed", { side: "head" });
  expect(mergeKnownRules([[fixed, ofOther], [failing], [failing]])).toEqual([{ ...failing, violations: 4 }, ofOther]);
});
