import { HarnessError } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { resolveScenario } from "./resolve-scenario.ts";
import type { LoadOptions } from "./load-options.ts";
import { planLoad } from "./plan-load.ts";
import { nameQueries } from "./plan-load.ts";

const a = { url: "http://127.0.0.1:3080", embedded: false } as const;
const b = { url: "http://127.0.0.1:3081", embedded: false } as const;
const unlimited = Number.POSITIVE_INFINITY;
const local = { name: "local", questions: unlimited, maxRatePerSecond: unlimited } as const;
const production = { name: "production", questions: 0, maxRatePerSecond: 2 } as const;

interface Case extends Partial<LoadOptions> {
  readonly scenario?: string;
  readonly allowed?:
    | typeof local
    | typeof production
    | { name: "staging"; questions: number; maxRatePerSecond: number };
}

const planOf = ({ scenario = "search-first-match", allowed = local, ...given }: Case) =>
  planLoad({
    options: { canary: true, seed: 7, ...given },
    chosenScenario: resolveScenario(scenario, "/"),
    targets: { base: a, limits: allowed, ...(given.against === undefined ? {} : { head: b }) },
    marker: "20260102T030405Z-abcdef",
  });

describe("a plan", () => {
  test.each<{ name: string; given: Case; plan: object }>([
    {
      name: "has the defaults of its scenario",
      given: {},
      plan: {
        scenario: "search-first-match",
        ratePerSecond: 2,
        durationMs: 60_000,
        shape: "steady",
        targets: { base: a.url },
      },
    },
    {
      name: "uses the options",
      given: { rate: 5, duration: 3000, warmup: 0, maxVus: 9, query: ["needle", "hay stack"] },
      plan: {
        ratePerSecond: 5,
        durationMs: 3000,
        warmupMs: 0,
        maxVus: 9,
        queries: [
          { name: "needle", text: "needle" },
          { name: "hay-stack", text: "hay stack" },
        ],
      },
    },
    { name: "lasts an hour as a soak", given: { shape: "soak" }, plan: { durationMs: 3_600_000 } },
    {
      name: "does not exceed the rate of production",
      given: { allowed: production, scenario: "search-exhaustive" },
      plan: { ratePerSecond: 0.5 },
    },
    {
      name: "asks as many questions as it needs",
      given: {
        scenario: "conversation-poll",
        rate: 1,
        duration: 10_000,
        warmup: 5000,
        interface: "legacy",
        pollInterval: 250,
      },
      plan: {
        conversation: {
          interface: "legacy",
          budget: 17,
          pollIntervalMs: 250,
          pollers: 2,
          marker: "20260102T030405Z-abcdef",
        },
      },
    },
    {
      name: "has the given number of pollers",
      given: { scenario: "mixed", pollers: 4 },
      plan: { conversation: { pollers: 4 } },
    },
    {
      name: "uses queries as questions if nothing is searched",
      given: { scenario: "conversation-poll", query: ["Why?"] },
      plan: { queries: [], conversation: { questions: [{ name: "why", text: "Why?" }] } },
    },
    {
      name: "of a comparison has the blocks of its preset",
      given: { against: b.url, preset: "quick", rate: 50 },
      plan: {
        blocks: { pairs: 12, warmupPairs: 2, requestsPerBlock: 200, gapRequests: 10, seed: 7 },
        durationMs: 117_600,
        warmupMs: 0,
      },
    },
    {
      name: "of a comparison with much time has more pairs",
      given: { against: b.url, rate: 50, duration: 600_000 },
      plan: { blocks: { pairs: 69, warmupPairs: 2, requestsPerBlock: 200 } },
    },
    {
      name: "of a comparison with less time has shorter blocks, each with every query equally often",
      given: { against: b.url, rate: 50, duration: 64_000 },
      plan: { blocks: { pairs: 12, warmupPairs: 2, requestsPerBlock: 104, gapRequests: 10 } },
    },
    {
      name: "of a comparison with too little time for tails has many short blocks, each with every query equally often",
      given: { against: b.url, rate: 50, duration: 60_000 },
      plan: { blocks: { pairs: 42, warmupPairs: 2, requestsPerBlock: 24, gapRequests: 10 } },
    },
    {
      name: "of a comparison of three seconds is a single pair",
      given: { against: b.url, rate: 20, duration: 3000 },
      plan: { blocks: { pairs: 1, warmupPairs: 0, requestsPerBlock: 26, gapRequests: 4 }, durationMs: 3000 },
    },
    {
      name: "of a decision fits into a shorter given duration",
      given: { against: b.url, rate: 20, duration: 40_000, decide: true },
      plan: { blocks: { pairs: 12 } },
    },
  ])("$name", ({ given, plan }) => {
    expect(planOf(given)).toMatchObject(plan);
  });

  test.each<{ name: string; given: Case; says: RegExp }>([
    { name: "a preset without a head", given: { preset: "quick" }, says: /--preset is for comparing/u },
    { name: "a decision without a head", given: { decide: true }, says: /--decide is for comparing/u },
    {
      name: "a decision that no figures could bring",
      given: { against: b.url, rate: 20, duration: 3000, decide: true },
      says: /--duration 3s is too short for a decision at 20\/s: it has time for 1 of at least 12 pairs of blocks; use at least --duration 40s, /u,
    },
    {
      name: "a shape of a comparison",
      given: { against: b.url, shape: "ramp" },
      says: /--shape ramp does not go with/u,
    },
    { name: "a warm-up of a comparison", given: { against: b.url, warmup: 5 }, says: /--warmup does not go with/u },
    {
      name: "pollers of a scenario that asks nothing",
      given: { pollers: 2 },
      says: /--pollers is for scenarios that ask/u,
    },
    { name: "a comparison of a mix", given: { against: b.url, scenario: "mixed" }, says: /cannot compare two/u },
    {
      name: "an interface for searches",
      given: { interface: "legacy" },
      says: /--interface is for scenarios that ask/u,
    },
    {
      name: "questions if none are allowed",
      given: { scenario: "conversation-poll", allowed: production },
      says: /this target allows none \(limits production\)/u,
    },
    {
      name: "more questions than allowed",
      given: {
        scenario: "conversation-poll",
        rate: 1,
        allowed: { name: "staging", questions: 25, maxRatePerSecond: unlimited },
      },
      says: /asks up to 72 questions, more than the 25 that the limits staging allow; use --questions 72/u,
    },
  ])("is refused for $name", ({ given, says }) => {
    expect(() => planOf(given)).toThrow(HarnessError);
    expect(() => planOf(given)).toThrow(says);
  });
});

describe("a scenario", () => {
  test.each([
    ["search-first-mach", /did you mean `search-first-match`/u],
    ["conversation-pol", /did you mean `conversation-poll`/u],
    ["xyz", /^there is no scenario `xyz`; scenarios are search-first-match/u],
    ["./nowhere.ts", /there is no scenario file \.\/nowhere\.ts; check the path/u],
  ])("called %s is refused in a sentence", (text, says) => {
    expect(() => resolveScenario(text, "/")).toThrow(says);
  });
});

test("queries have short names, each its own", () => {
  const names = nameQueries(["Foo bar", "foo  bar", "日本", "x".repeat(100)]).map(({ name }) => name);
  expect(names).toEqual(["foo-bar", "foo-bar-q2", "query", "x".repeat(32)]);
  expect(names.every((name) => /^[a-z0-9-]{1,40}$/u.test(name))).toBe(true);
});
