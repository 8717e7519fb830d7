import { describe, expect, test } from "vitest";
import { conversationLimits } from "./conversation-limits.ts";
import { createQuestionBudget } from "./question-budget.ts";

describe("the limits of a target", () => {
  test.each([
    { name: "local", overrides: {}, questions: Number.POSITIVE_INFINITY, rate: Number.POSITIVE_INFINITY, poll: 20 },
    { name: "staging", overrides: {}, questions: 25, rate: 10, poll: 1000 },
    { name: "production", overrides: {}, questions: 0, rate: 2, poll: 1000 },
    { name: "production", overrides: { questions: "usual" }, questions: 5, rate: 2, poll: 1000 },
    { name: "production", overrides: { questions: 3, requestsPerSecond: 1 }, questions: 3, rate: 1, poll: 1000 },
    { name: "staging", overrides: { questions: "usual", minPollMs: 5 }, questions: 25, rate: 10, poll: 5 },
  ] as const)("$name with $overrides", ({ name, overrides, questions, rate, poll }) => {
    expect(conversationLimits(name, overrides)).toMatchObject({
      name,
      questions,
      requestsPerSecond: rate,
      minPollMs: poll,
    });
  });
});

describe("a budget of questions", () => {
  test("is used up after that many questions, with a reason", () => {
    const budget = createQuestionBudget(2);
    expect([budget.charge(), budget.charge(), budget.charge()]).toEqual([
      undefined,
      undefined,
      "the budget of 2 questions is used up",
    ]);
    expect([budget.askedCount, budget.maxQuestions, budget.readOnlyReason]).toEqual([2, 2, undefined]);
  });

  test("of zero allows no writes", () => {
    const budget = createQuestionBudget(0);
    expect([budget.charge(), budget.askedCount]).toEqual([budget.readOnlyReason, 0]);
    expect(budget.readOnlyReason).toContain("budget");
  });
});
