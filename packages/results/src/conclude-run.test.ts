import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concludeRun, countOutcomes, type RunFacts } from "./conclude-run.ts";
import type { RuleVerdict } from "./verdict.ts";
import { passedWith, ruleVerdict, type SampleName, sampleVerdicts } from "./testing/sample-verdicts.ts";

const green: RunFacts = { verdicts: [ruleVerdict(passedWith(1))], strict: false };
const withVerdicts = (...names: readonly SampleName[]): RunFacts => ({
  ...green,
  verdicts: names.map((name) => ruleVerdict(sampleVerdicts[name], { rule: `stream/${name.replaceAll(" ", "-")}` })),
});

const blind = (rule: string, missing: string): RuleVerdict =>
  ruleVerdict({ outcome: "blocked", blockedBy: "transport", missing }, { rule });

test.each<[string, readonly RuleVerdict[], string]>([
  ["one rule", [blind("a", "reset")], "blocked: a: reset"],
  ["three rules", [blind("a", "reset"), blind("b", "reset"), blind("c", "reset")], "blocked: a, b, c: reset"],
  [
    "five rules for three reasons",
    [blind("a", "x"), blind("b", "y"), blind("c", "x"), blind("d", "z"), blind("e", "x")],
    "blocked: a, b, c and 2 more: x (and 2 more such reasons)",
  ],
])("why %s could not be judged is one sentence", (_name, verdicts, message) => {
  const { incomplete } = concludeRun({ ...green, verdicts: [...green.verdicts, ...verdicts] });
  expect(incomplete).toEqual([{ code: "transport", message }]);
});

describe("one row of the exit codes each", () => {
  test.each<[number, string, RunFacts]>([
    [0, "everything observed holds", green],
    [0, "a warning beside a rule that holds", withVerdicts("passed", "warned")],
    [0, "only a warning", withVerdicts("warned")],
    [0, "a missing prerequisite beside a rule that holds", withVerdicts("passed", "no prerequisite")],
    [0, "rules without observation beside one that holds", withVerdicts("passed", "not observed", "not applicable")],
    [0, "a load run that decided well", { ...green, performance: "passed" }],
    [1, "a violation", withVerdicts("passed", "failed")],
    [1, "a violation in a run that is also incomplete", withVerdicts("failed", "over a limit")],
    [1, "a warning in a strict run", { ...withVerdicts("passed", "warned"), strict: true }],
    [2, "wrong usage", { ...green, usageError: "unknown profile `x`" }],
    [3, "no verdict at all", withVerdicts()],
    [3, "nothing observed", withVerdicts("not observed", "not applicable", "no prerequisite")],
    [3, "a rule kept from its evidence by the transport", withVerdicts("passed", "no transport")],
    [3, "a rule kept from its evidence by a limit", withVerdicts("passed", "over a limit")],
    [3, "a reason found while driving", { ...green, incomplete: [{ code: "deadline", message: "the run took 60 s" }] }],
    [4, "a missed threshold", { ...green, performance: "failed" }],
    [5, "no decision although one was asked for", { ...green, performance: "inconclusive" }],
    [6, "something left behind", { ...green, cleanupFailure: "1 conversation is left" }],
    [70, "a bug in the harness", { ...green, harnessError: "a rule threw" }],
    [130, "SIGINT", { ...green, interrupted: "SIGINT" }],
    [143, "SIGTERM", { ...green, interrupted: "SIGTERM" }],
  ])("exit code %i: %s", (exitCode, _name, facts) => {
    expect(concludeRun(facts).exitCode).toBe(exitCode);
  });
});

describe("a rule that must be observed", () => {
  test.each<[SampleName, number]>([
    ["passed", 0],
    ["warned", 0],
    ["failed", 1],
    ["not observed", 3],
    ["not applicable", 3],
    ["no prerequisite", 3],
    ["no transport", 3],
    ["over a limit", 3],
  ])("%s gives %i", (name, exitCode) => {
    const must = ruleVerdict(sampleVerdicts[name], { mustTest: true, rule: "stream/must" });
    const conclusion = concludeRun({ ...green, verdicts: [...green.verdicts, must] });
    expect(conclusion.exitCode).toBe(exitCode);
    const unseen = conclusion.incomplete.filter(({ code }) => code === "must-test");
    expect(unseen.map(({ message }) => message.includes("stream/must"))).toEqual(exitCode === 3 ? [true] : []);
  });
});

test("rules that must be observed and were not come with what the first one lacks", () => {
  const must = ["a", "b", "c", "d"].map((rule) =>
    ruleVerdict(sampleVerdicts["no prerequisite"], { mustTest: true, rule }),
  );
  const other = ruleVerdict({ outcome: "not-tested", reason: "nothing came" }, { mustTest: true, rule: "e" });
  expect(concludeRun({ ...green, verdicts: [...green.verdicts, ...must, other] }).summary).toBe(
    "no verdict: the profile requires rules that were not tested: a, b, c and 2 more: no OAuth token was given (and 1 more such reason)",
  );
});

test.each<[string, RunFacts, readonly string[]]>([
  ["no verdict", withVerdicts(), ["empty-selection"]],
  ["nothing observed", withVerdicts("not observed"), ["nothing-observed"]],
  ["transport and limit", withVerdicts("passed", "no transport", "over a limit"), ["transport", "limit"]],
  [
    "an unreachable target explains the rest",
    { ...withVerdicts("no transport"), incomplete: [{ code: "unreachable", message: "refused" }] },
    ["unreachable"],
  ],
  ...(["authentication-refused", "not-the-api"] as const).map((code): [string, RunFacts, readonly string[]] => [
    `so does ${code}`,
    { ...withVerdicts("no transport"), incomplete: [{ code, message: "m" }] },
    [code],
  ]),
  ["a bug in the harness explains the rest", { ...withVerdicts("no transport"), harnessError: "thrown" }, []],
  ["wrong usage explains the rest", { ...withVerdicts("no transport"), usageError: "wrong" }, []],
  [
    "a reason is not given twice",
    { ...withVerdicts("passed", "no transport"), incomplete: [{ code: "transport", message: "reset" }] },
    ["transport"],
  ],
  [
    "a deadline does not hide what was not observed",
    { ...withVerdicts("not observed"), incomplete: [{ code: "deadline", message: "60 s" }] },
    ["deadline", "nothing-observed"],
  ],
  ["an interrupted run gets no reason that only follows from it", { ...withVerdicts(), interrupted: "SIGINT" }, []],
])("reasons: %s", (_name, facts, codes) => {
  expect(concludeRun(facts).incomplete.map(({ code }) => code)).toEqual(codes);
});

test.each<[string, RunFacts, string]>([
  [
    "passed",
    withVerdicts("passed", "not observed", "no prerequisite", "warned"),
    "1 of 4 rules passed; 1 warned, 1 not tested, 1 blocked",
  ],
  ["failed", withVerdicts("passed", "failed", "not observed"), "1 of 2 rules failed: stream/failed"],
  [
    "failed and incomplete",
    withVerdicts("failed", "over a limit"),
    "1 of 1 rule failed: stream/failed; also incomplete (1 reason)",
  ],
  [
    "incomplete, with what the only rule lacks",
    withVerdicts("no prerequisite"),
    "nothing was tested: no rule could be tested with what the target sent: no OAuth token was given",
  ],
  [
    "incomplete for two reasons",
    withVerdicts("passed", "no transport", "over a limit"),
    "no verdict: blocked: stream/no-transport: the connection was reset (1 more reason)",
  ],
  [
    "incomplete for three reasons",
    { ...withVerdicts("passed", "no transport", "over a limit"), incomplete: [{ code: "deadline", message: "60 s" }] },
    "no verdict: 60 s (2 more reasons)",
  ],
  [
    "incomplete for one reason of several rules",
    { ...green, verdicts: Array.from({ length: 5 }, (_, index) => blind(`stream/r${index}`, "reset")) },
    "nothing was tested: blocked: stream/r0, stream/r1, stream/r2 and 2 more: reset (1 more reason)",
  ],
  [
    "several of everything",
    withVerdicts("passed", "passed", "warned", "warned", "not applicable", "not applicable", "no prerequisite"),
    "2 of 7 rules passed; 2 warned, 2 not applicable, 1 blocked",
  ],
  ["one that does not apply", withVerdicts("passed", "not applicable"), "1 of 2 rules passed; 1 not applicable"],
  [
    "three violated",
    withVerdicts("passed", "warned", "failed", "failed", "failed"),
    "3 of 5 rules failed: stream/failed, stream/failed, stream/failed",
  ],
  [
    "four violated",
    withVerdicts("failed", "failed", "failed", "failed"),
    "4 of 4 rules failed: stream/failed, stream/failed, stream/failed, 1 more",
  ],
  [
    "a threshold",
    { ...green, performance: "failed" },
    "a performance threshold was missed or a regression was found; 1 rule passed",
  ],
  [
    "no decision",
    { ...green, performance: "inconclusive" },
    "the performance comparison is inconclusive although a decision was requested; 1 rule passed",
  ],
  ["usage", { ...green, usageError: "unknown profile `x`" }, "unknown profile `x`"],
  ["harness", { ...green, harnessError: "a rule threw" }, "a bug in the harness, not in the target: a rule threw"],
  ["interrupted", { ...green, interrupted: "SIGTERM" }, "interrupted by SIGTERM; so far: 1 rule passed"],
  [
    "interrupted, with what was violated before",
    { ...withVerdicts("failed", "passed"), interrupted: "SIGINT" },
    "interrupted by SIGINT; so far: 1 of 2 rules failed: stream/failed; 1 of 2 rules passed",
  ],
  [
    "left behind",
    { ...green, cleanupFailure: "1 conversation is left" },
    "1 rule passed, but not everything created was removed: 1 conversation is left",
  ],
])("summary: %s", (_name, facts, sentence) => {
  expect(concludeRun(facts).summary).toBe(sentence);
});

test("counts every standing, absent ones as zero", () => {
  expect(countOutcomes(withVerdicts("passed", "failed", "failed", "no transport", "over a limit").verdicts)).toEqual({
    passed: 1,
    failed: 2,
    warned: 0,
    "known-failure": 0,
    fixed: 0,
    "not-tested": 0,
    "not-applicable": 0,
    blocked: 2,
  });
});

/** Written down apart from the code: what is true of a run, most severe first, and the exit code it has. */
const precedence = [
  ["harness", 70],
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["usage", 2],
  ["violated", 1],
  ["slower", 4],
  ["incomplete", 3],
  ["undecided", 5],
  ["left behind", 6],
] as const;
type Truth = (typeof precedence)[number][0];

const factsFor = (truths: ReadonlySet<Truth>): RunFacts => ({
  strict: false,
  verdicts: truths.has("violated") ? withVerdicts("passed", "failed").verdicts : green.verdicts,
  ...(truths.has("harness") ? { harnessError: "thrown" } : {}),
  ...(truths.has("SIGINT") ? { interrupted: "SIGINT" } : {}),
  ...(truths.has("SIGTERM") ? { interrupted: "SIGTERM" } : {}),
  ...(truths.has("usage") ? { usageError: "wrong" } : {}),
  ...(truths.has("slower") ? { performance: "failed" } : {}),
  ...(truths.has("undecided") ? { performance: "inconclusive" } : {}),
  ...(truths.has("incomplete") ? { incomplete: [{ code: "deadline", message: "60 s" }] } : {}),
  ...(truths.has("left behind") ? { cleanupFailure: "1 left" } : {}),
});

/** What cannot be true at once: one signal ended the run, one decision came of the load. */
const possible = (truths: ReadonlySet<Truth>): boolean =>
  !(truths.has("SIGINT") && truths.has("SIGTERM")) && !(truths.has("slower") && truths.has("undecided"));

const allCombinations: readonly ReadonlySet<Truth>[] = Array.from(
  { length: 2 ** precedence.length },
  (_, bits) => new Set(precedence.filter((_row, index) => (bits >> index) & 1).map(([truth]) => truth)),
).filter(possible);

test("every combination of what can be true of a run ends as the table of precedence says", () => {
  const expected = allCombinations.map((truths) => precedence.find(([truth]) => truths.has(truth))?.[1] ?? 0);
  expect(allCombinations.map((truths) => concludeRun(factsFor(truths)).exitCode)).toEqual(expected);
  expect(allCombinations.length).toBe(288);
});

const anyVerdicts = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.values(sampleVerdicts)),
    mustTest: fc.boolean(),
  }),
  { maxLength: 6 },
);

test("a run is green exactly when something was seen and nothing violated, blind, or demanded and unseen", () => {
  const judged = new Set(["passed", "warned"]);
  const tolerated = new Set(["not-tested", "not-applicable"]);
  fc.assert(
    fc.property(anyVerdicts, fc.boolean(), (picked, strict) => {
      const verdicts = picked.map(({ name, mustTest }) => ruleVerdict(name, { mustTest }));
      const isGreen =
        verdicts.some(({ verdict }) => judged.has(verdict.outcome)) &&
        verdicts.every(
          ({ verdict, mustTest }) =>
            verdict.outcome === "passed" ||
            (verdict.outcome === "warned" && !strict) ||
            (!mustTest &&
              (tolerated.has(verdict.outcome) ||
                (verdict.outcome === "blocked" && verdict.blockedBy === "prerequisite"))),
        );
      const conclusion = concludeRun({ verdicts, strict });
      expect(conclusion.exitCode === 0).toBe(isGreen);
      expect(conclusion.outcome === "passed").toBe(isGreen);
    }),
    { numRuns: 500 },
  );
});
