import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isAnythingJudged,
  isJudgedWhole,
  type JudgedGroup,
  judgementSentence,
  type LoadRule,
  loadRuleOutcomes,
  type KnownLoadRule,
  mergedKnownRules,
  mergedLoadRules,
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
      "where no answer came",
      [group({ sent: 20, unanswered: 20 }), { ...group({ sent: 1, unanswered: 1 }), group: "conversation" }],
      "nothing was checked: none of 21 exchanges had an answer of the API",
    ],
    ["where all were judged", [group({ sent: 42_118, judged: 42_118 })], "42,118 of 42,118 exchanges were checked"],
    [
      "never rounds to all of them",
      [group({ sent: 100_000, judged: 99_999, lost: 1 })],
      "99,999 of 100,000 exchanges were checked whole (99.9 %); 1 was not stored because the recorder could not keep up",
    ],
    [
      "never rounds to none of them",
      [group({ sent: 100_000, judged: 1, thinnedOut: 99_999 })],
      "1 of 100,000 exchanges were checked whole (0.1 %); 99,999 were left out at random because the files were full, or filled too fast",
    ],
    [
      "names every reason once, for all kinds together",
      [
        group({ sent: 10, judged: 5, brokenOff: 2, unanswered: 1, thinnedOut: 1, lost: 1 }),
        {
          ...group({ sent: 10, judged: 4, brokenOff: 1, unanswered: 1, thinnedOut: 1, lost: 1 }),
          group: "conversation",
        },
      ],
      "9 of 20 exchanges were checked whole (45 %); 3 broke off and were checked up to that point, 2 had no answer to check, 2 were left out at random because the files were full, or filled too fast, 2 were not stored because the recorder could not keep up, 2 are not on the disk",
    ],
  ])("%s", (_name, groups, sentence) => {
    expect(judgementSentence(groups)).toBe(sentence);
  });

  test.each<[string, Partial<JudgedGroup>, readonly string[], boolean]>([
    ["all were judged", { judged: 3 }, [], true],
    ["one broke off", { judged: 2, brokenOff: 1 }, [], false],
    ["the disk was full", { judged: 3 }, ["the disk is full"], false],
  ])("nothing is missing only where all were judged, and all was read: %s", (...[, counts, problems, isWhole]) => {
    expect(isJudgedWhole({ groups: [group({ sent: 3, ...counts })], problems })).toBe(isWhole);
  });

  test.each<[string, readonly JudgedGroup[], boolean]>([
    ["without any exchange", [], false],
    ["where no answer came", [group({ sent: 2, unanswered: 2 })], false],
    ["where one broke off", [group({ sent: 2, unanswered: 1, brokenOff: 1 })], true],
    ["where one came whole", [group({ sent: 2, unanswered: 1, judged: 1 })], true],
  ])("something was judged, and never all of nothing: %s", (_name, groups, isAnything) => {
    expect([isAnythingJudged({ groups }), isJudgedWhole({ groups, problems: [] })]).toEqual([isAnything, false]);
  });
});

describe("what a rule came to in two parts of a load", () => {
  const r = (outcome: LoadRule["outcome"], changes: Partial<LoadRule> = {}): LoadRule => ({
    rule: "r",
    outcome,
    ...changes,
  });
  test.each<[string, LoadRule, LoadRule, LoadRule]>([
    ["violated in one is violated", r("failed"), r("passed", { confirmed: true }), r("failed")],
    [
      "not observed in one holds as in the other",
      r("not-tested"),
      r("passed", { confirmed: true }),
      r("passed", { confirmed: true }),
    ],
    [
      "could not run in one does not hold",
      r("blocked", { reason: "why" }),
      r("passed"),
      r("blocked", { reason: "why" }),
    ],
    ["warned in one warns", r("passed"), r("warned", { reason: "x" }), r("warned", { reason: "x" })],
    ["proven in one alone is not proven", r("passed", { confirmed: true }), r("passed"), r("passed")],
    [
      "proven in both is proven",
      r("passed", { confirmed: true }),
      r("passed", { confirmed: true }),
      r("passed", { confirmed: true }),
    ],
    ["left to others stays so", r("compares-searches"), r("compares-searches"), r("compares-searches")],
  ])("%s", (...[, one, other, merged]) => {
    expect([mergedLoadRules([[one], [other]]), mergedLoadRules([[other], [one]])]).toEqual([[merged], [merged]]);
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

  test("does not depend on their order, nor on which are put together first", () => {
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        expect(byRule(mergedLoadRules([a, b]))).toEqual(byRule(mergedLoadRules([b, a])));
        const all = byRule(mergedLoadRules([a, b, c]));
        expect(byRule(mergedLoadRules([mergedLoadRules([a, b]), c]))).toEqual(all);
        expect(byRule(mergedLoadRules([a, mergedLoadRules([b, c])]))).toEqual(all);
        expect(mergedLoadRules([a, a])).toEqual(a);
      }),
    );
  });

  test("holds only where no part says anything worse, and is proven only by every part in which it holds", () => {
    fc.assert(
      fc.property(part, part, (a, b) => {
        const held = mergedLoadRules([a, b]).filter(({ outcome }) => outcome === "passed");
        for (const { rule, confirmed } of held) {
          const own = [...a, ...b].filter((one) => one.rule === rule);
          expect(own.filter(({ outcome }) => worse.has(outcome))).toEqual([]);
          expect(confirmed).toBe(own.every((one) => one.outcome !== "passed" || one.confirmed) ? true : undefined);
        }
      }),
    );
  });
});

test("what is known of rules is told once for each target, and what fails in one part is not fixed", () => {
  const one = (status: KnownLoadRule["known"]["status"], changes: Partial<KnownLoadRule> = {}): KnownLoadRule => ({
    rule: "r",
    title: "R",
    known: { status, reason: "why", owner: "a", source: "known.txt", line: 3 },
    ...changes,
  });
  const fixed = one("fixed");
  const failing = one("known-failure", { violations: 2, message: "m" });
  const ofOther = one("fixed", { arm: "b" });
  expect(mergedKnownRules([[fixed, ofOther], [failing], [failing]])).toEqual([{ ...failing, violations: 4 }, ofOther]);
});
