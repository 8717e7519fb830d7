import { loadShapes } from "@assay/results";
import { describe, expect, test } from "vitest";
import { computeConversationRate, createDefaultPlan } from "./default-plan.ts";
import { isScenarioName, needsQuestions, scenarioNames } from "./scenario-names.ts";

describe("the default plan", () => {
  test.each(scenarioNames)("of %s sends few requests a second, each with a name for tables", (name) => {
    const { ratePerSecond, queries, conversation } = createDefaultPlan(name);
    expect(ratePerSecond).toBeLessThanOrEqual(2);
    const names = [...queries, ...(conversation?.questions ?? [])].map((asked) => asked.name);
    expect(names.filter((one) => !/^[a-z0-9-]{1,40}$/u.test(one))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(0);
  });

  test.each(scenarioNames)("of %s has questions if it needs them, and a budget for all of them", (name) => {
    const { conversation, ratePerSecond, durationMs, warmupMs } = createDefaultPlan(name);
    expect(conversation !== undefined).toBe(needsQuestions(name));
    const perSecond = name === "mixed" ? computeConversationRate(ratePerSecond) : ratePerSecond;
    const planned = (perSecond * (durationMs + warmupMs)) / 1000;
    expect(conversation === undefined || conversation.budget >= planned).toBe(true);
  });

  test.each(loadShapes)("of the shape %s lasts as long as that shape needs", (shape) => {
    const minutes = { steady: 1, ramp: 1, spike: 1, breakpoint: 5, soak: 60 }[shape];
    expect(createDefaultPlan("mixed", shape)).toMatchObject({ shape, durationMs: minutes * 60_000 });
  });
});

test("conversations of a mixed load are a tenth of the searches, and at least one in ten seconds", () => {
  expect([0.01, 1, 2, 50].map(computeConversationRate)).toEqual([0.1, 0.1, 0.2, 5]);
});

test.each(["", "toString", "search-first-match.ts"])("%s is not a scenario", (name) => {
  expect(isScenarioName(name)).toBe(false);
});
