import { expect, test } from "vitest";
import type { LoadPlan } from "@assay/results";
import { planForRunners, selectSecretVariables } from "./send-from-cluster.ts";
import { examplePlan } from "./testing/example-plan.ts";

const withBudget = (budget: number): LoadPlan => ({
  ...examplePlan,
  conversation: {
    interface: "current",
    pollIntervalMs: 1000,
    deadlineMs: 60_000,
    questions: [{ name: "why", text: "Why?" }],
    marker: "assay-marker-1",
    budget,
  },
});

const createLimits = (questions: number) => ({ name: "staging" as const, questions, maxRatePerSecond: Infinity });

test.each([
  [30, 1, 32],
  [30, 4, 10],
  [31, 4, 10],
  [2, 8, 3],
])("a budget of %i questions on %i runners is %i for each", (budget, runners, share) => {
  expect(planForRunners(withBudget(budget), runners, createLimits(100)).conversation?.budget).toBe(share);
});

test("the budgets of all runners together never exceed the limits", () => {
  expect(() => planForRunners(withBudget(30), 4, createLimits(39))).toThrow(
    "4 runners ask up to 40 questions, more than the 39 that the limits staging allow; use --questions 40",
  );
  expect(planForRunners(withBudget(30), 4, createLimits(40)).conversation?.budget).toBe(10);
});

test("the rate and the number of users are those of the whole load, because k6 splits them", () => {
  expect(planForRunners(examplePlan, 4, createLimits(0))).toEqual(examplePlan);
});

const variables = {
  ASSAY_TOKEN: "token",
  ASSAY_KEEP_BYTES: "901",
  ASSAY_EXCHANGES: "/a/folder/of/this/machine",
  K6_PROMETHEUS_RW_PASSWORD: "password",
};

test("the Secret has the variables of k6 that are not about this machine, and a part of the bytes to keep", () => {
  expect(selectSecretVariables(variables, { runners: 3, k6Outputs: [] })).toEqual({
    ASSAY_TOKEN: "token",
    ASSAY_KEEP_BYTES: "300",
  });
});

test("the Secret has the outputs of k6 and their variables", () => {
  const k6Outputs = ["experimental-prometheus-rw", "experimental-opentelemetry"];
  expect(selectSecretVariables(variables, { runners: 1, k6Outputs })).toEqual({
    ASSAY_TOKEN: "token",
    ASSAY_KEEP_BYTES: "901",
    K6_PROMETHEUS_RW_PASSWORD: "password",
    K6_OUT: "experimental-prometheus-rw,experimental-opentelemetry",
  });
});
