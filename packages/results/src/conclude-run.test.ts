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

const blockedRule = (rule: string, missing: string): RuleVerdict =>
  ruleVerdict({ outcome: "blocked", blockedBy: "transport", missing }, { rule });

test.each<[string, readonly RuleVerdict[], string]>([
  ["one rule", [blockedRule("a", "reset")], "blocked: a: reset"],
  [
    "three rules",
    [blockedRule("a", "reset"), blockedRule("b", "reset"), blockedRule("c", "reset")],
    "blocked: a, b, c: reset",
  ],
  [
    "five rules for three reasons",
    [blockedRule("a", "x"), blockedRule("b", "y"), blockedRule("c", "x"), blockedRule("d", "z"), blockedRule("e", "x")],
    "blocked: a, b, c and 2 more: x (and 2 more such reasons)",
  ],
])("one sentence names what blocked %s", (_name, verdicts, message) => {
  const { incomplete } = concludeRun({ ...green, verdicts: [...green.verdicts, ...verdicts] });
  expect(incomplete).toEqual([{ code: "transport", message }]);
});

describe("every row of the exit codes", () => {
  test.each<[number, string, RunFacts]>([
    [0, "every tested rule passed", green],
    [0, "a warning and a rule that passed", withVerdicts("passed", "warned")],
    [0, "only a warning", withVerdicts("warned")],
    [0, "a missing prerequisite and a rule that passed", withVerdicts("passed", "no prerequisite")],
    [0, "rules that were not tested and one that passed", withVerdicts("passed", "not observed", "not applicable")],
    [0, "a load run that passed", { ...green, performance: "passed" }],
    [1, "a violation", withVerdicts("passed", "failed")],
    [1, "a failure in a run that is also incomplete", withVerdicts("failed", "over a limit")],
    [1, "a warning in a strict run", { ...withVerdicts("passed", "warned"), strict: true }],
    [2, "wrong usage", { ...green, usageError: "unknown profile `x`" }],
    [3, "no verdict", withVerdicts()],
    [3, "nothing observed", withVerdicts("not observed", "not applicable", "no prerequisite")],
    [3, "a rule blocked by the transport", withVerdicts("passed", "no transport")],
    [3, "a rule blocked by a limit", withVerdicts("passed", "over a limit")],
    [
      3,
      "a reason found while sending requests",
      { ...green, incomplete: [{ code: "deadline", message: "the run took 60 s" }] },
    ],
    [4, "a missed threshold", { ...green, performance: "failed" }],
    [5, "no decision although one was required", { ...green, performance: "inconclusive" }],
    [6, "something that was not removed", { ...green, cleanupFailure: "1 conversation is left" }],
    [70, "a bug in the harness", { ...green, harnessError: "a rule threw" }],
    [130, "SIGINT", { ...green, interrupted: "SIGINT" }],
    [143, "SIGTERM", { ...green, interrupted: "SIGTERM" }],
  ])("exit code %i: %s", (exitCode, _name, facts) => {
    expect(concludeRun(facts).exitCode).toBe(exitCode);
  });
});

describe("a rule that must be tested", () => {
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

test("required rules that were not tested come with the reason of the first one", () => {
  const must = ["a", "b", "c", "d"].map((rule) =>
    ruleVerdict(sampleVerdicts["no prerequisite"], { mustTest: true, rule }),
  );
  const other = ruleVerdict({ outcome: "not-tested", reason: "nothing came" }, { mustTest: true, rule: "e" });
  expect(concludeRun({ ...green, verdicts: [...green.verdicts, ...must, other] }).summary).toBe(
    "no verdict: the profile requires rules that were not tested: a, b, c and 2 more: no OAuth token is set (and 1 more such reason)",
  );
});

test.each<[string, RunFacts, readonly string[]]>([
  ["no verdict", withVerdicts(), ["empty-selection"]],
  ["nothing observed", withVerdicts("not observed"), ["nothing-observed"]],
  ["transport and limit", withVerdicts("passed", "no transport", "over a limit"), ["transport", "limit"]],
  [
    "an unreachable target replaces other reasons",
    { ...withVerdicts("no transport"), incomplete: [{ code: "unreachable", message: "refused" }] },
    ["unreachable"],
  ],
  ...(["authentication-refused", "not-the-api"] as const).map((code): [string, RunFacts, readonly string[]] => [
    `${code} replaces other reasons`,
    { ...withVerdicts("no transport"), incomplete: [{ code, message: "m" }] },
    [code],
  ]),
  ["a bug replaces other reasons", { ...withVerdicts("no transport"), harnessError: "thrown" }, []],
  ["wrong usage replaces other reasons", { ...withVerdicts("no transport"), usageError: "wrong" }, []],
  [
    "a reason is given once",
    { ...withVerdicts("passed", "no transport"), incomplete: [{ code: "transport", message: "reset" }] },
    ["transport"],
  ],
  [
    "a deadline does not hide rules that were not tested",
    { ...withVerdicts("not observed"), incomplete: [{ code: "deadline", message: "60 s" }] },
    ["deadline", "nothing-observed"],
  ],
  [
    "an interrupted run has no reason that follows from the interruption",
    { ...withVerdicts(), interrupted: "SIGINT" },
    [],
  ],
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
    "incomplete, with the reason of the only rule",
    withVerdicts("no prerequisite"),
    "nothing was tested: the target's responses were not enough to test any rule: no OAuth token is set",
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
    { ...green, verdicts: Array.from({ length: 5 }, (_, index) => blockedRule(`stream/r${index}`, "reset")) },
    "nothing was tested: blocked: stream/r0, stream/r1, stream/r2 and 2 more: reset (1 more reason)",
  ],
  [
    "several of everything",
    withVerdicts("passed", "passed", "warned", "warned", "not applicable", "not applicable", "no prerequisite"),
    "2 of 7 rules passed; 2 warned, 2 not applicable, 1 blocked",
  ],
  ["a rule that does not apply", withVerdicts("passed", "not applicable"), "1 of 2 rules passed; 1 not applicable"],
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
    "interrupted before any rule was tested",
    { ...withVerdicts(), interrupted: "SIGINT" },
    "interrupted by SIGINT; so far: no rule was tested",
  ],
  [
    "interrupted, with failures until then",
    { ...withVerdicts("failed", "passed"), interrupted: "SIGINT" },
    "interrupted by SIGINT; so far: 1 of 2 rules failed: stream/failed; 1 of 2 rules passed",
  ],
  [
    "left behind",
    { ...green, cleanupFailure: "1 conversation is left" },
    "1 rule passed, but cleanup left something behind: 1 conversation is left",
  ],
])("summary: %s", (_name, facts, sentence) => {
  expect(concludeRun(facts).summary).toBe(sentence);
});

test("countOutcomes counts every standing", () => {
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

/** The precedence independent of the code: facts about a run, most severe first, and their exit codes. */
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

/** Excludes combinations that cannot occur: two signals, or two decisions of a load. */
const possible = (truths: ReadonlySet<Truth>): boolean =>
  !(truths.has("SIGINT") && truths.has("SIGTERM")) && !(truths.has("slower") && truths.has("undecided"));

const allCombinations: readonly ReadonlySet<Truth>[] = Array.from(
  { length: 2 ** precedence.length },
  (_, bits) => new Set(precedence.filter((_row, index) => (bits >> index) & 1).map(([truth]) => truth)),
).filter(possible);

test("every combination of facts ends by the table of precedence", () => {
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

test("a run passes if and only if a rule was tested, none failed or was blocked, and every required rule was tested", () => {
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
