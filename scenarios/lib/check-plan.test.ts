import type { LoadPlan } from "@assay/results";
import { describe, expect, test } from "vitest";
import { createDefaultPlan } from "../src/default-plan.ts";
import { getScenarioFacts, scenarioNames } from "../src/scenario-names.ts";
import { checkedPlan } from "./check-plan.ts";

const marker = "20261121-101010-abcdef";

const planOf = (name: (typeof scenarioNames)[number]): LoadPlan => {
  const { conversation, ...rest } = createDefaultPlan(name);
  const asked = conversation === undefined ? {} : { conversation: { ...conversation, marker } };
  return { ...rest, ...asked, targets: { base: "http://127.0.0.1:7080" } };
};

const blocks = { pairs: 2, warmupPairs: 1, requestsPerBlock: 8, gapRequests: 1, seed: 1 };

describe("a plan", () => {
  test.each(scenarioNames)("for %s is valid by default", (name) => {
    expect(checkedPlan(planOf(name), getScenarioFacts(name))).toEqual(planOf(name));
  });

  test("may compare two targets", () => {
    const plan = {
      ...planOf("search-first-match"),
      blocks,
      targets: { base: "https://a.example/x", head: "http://b" },
    };
    expect(checkedPlan(plan, getScenarioFacts("search-first-match"))).toEqual(plan);
    const { base: a, head: b } = plan.targets;
    const version1 = { ...plan, version: 1, targets: { a, b } };
    expect(checkedPlan(version1, getScenarioFacts("search-first-match"))).toEqual(plan);
  });

  test.each([
    { name: "is not a JSON object", plan: undefined, says: "`version` must be 2" },
    { name: "has another version", plan: { version: 3 }, says: "`version` must be 2" },
    { name: "has no target", plan: { targets: {} }, says: "`targets.base` must be an http or https address" },
    {
      name: "has a target that is not a web address",
      plan: { targets: { base: "file:///etc" } },
      says: "`targets.base`",
    },
    { name: "has an unknown shape", plan: { shape: "wave" }, says: "`shape` must be one of steady, ramp" },
    { name: "has no rate", plan: { ratePerSecond: 0 }, says: "`ratePerSecond`" },
    { name: "has a duration that is not a number", plan: { durationMs: "60s" }, says: "`durationMs`" },
    { name: "has a negative warm-up", plan: { warmupMs: -1 }, says: "`warmupMs`" },
    { name: "has no queries", plan: { queries: [] }, says: "`queries` needs at least one query" },
    { name: "has a query with a name for people", plan: { queries: [{ name: "A b", text: "" }] }, says: "`queries`" },
    { name: "has no virtual users", plan: { maxVus: 0 }, says: "`maxVus`" },
    { name: "has a fraction of a byte", plan: { maxEventBytes: 0.5 }, says: "`maxEventBytes`" },
    { name: "has gzip in words", plan: { gzip: "yes" }, says: "`gzip`" },
    { name: "has blocks without a head", plan: { blocks }, says: "`targets.head`" },
    {
      name: "has blocks without requests",
      plan: { blocks: { ...blocks, requestsPerBlock: 0 }, targets: { base: "http://a", head: "http://b" } },
      says: "`blocks.requestsPerBlock`",
    },
    {
      name: "has blocks and a changing rate",
      plan: { blocks, shape: "ramp", targets: { base: "http://a", head: "http://b" } },
      says: "`shape` must be steady",
    },
  ])("that $name is refused in one sentence", ({ plan, says }) => {
    const whole = plan === undefined ? undefined : { ...planOf("search-first-match"), ...plan };
    expect(() => checkedPlan(whole, getScenarioFacts("search-first-match"))).toThrow(says);
    expect(() => checkedPlan(whole, getScenarioFacts("search-first-match"))).toThrow(
      /^The plan cannot be followed: [^\n]*\.$/u,
    );
  });

  test.each([
    { name: "the part about conversations", conversation: undefined, says: "`conversation.interface`" },
    { name: "questions", conversation: { questions: [] }, says: "`conversation.questions` needs" },
    { name: "a marker that is long enough", conversation: { marker: "short" }, says: "`conversation.marker`" },
    { name: "a budget", conversation: { budget: undefined }, says: "`conversation.budget`" },
    { name: "a time between polls", conversation: { pollIntervalMs: 0 }, says: "`conversation.pollIntervalMs`" },
    { name: "a deadline", conversation: { deadlineMs: Number.NaN }, says: "`conversation.deadlineMs`" },
  ])("for conversations has to have $name", ({ conversation, says }) => {
    const plan = planOf("conversation-poll");
    const changed = { ...plan, conversation: conversation && { ...plan.conversation, ...conversation } };
    expect(() => checkedPlan(changed, getScenarioFacts("conversation-poll"))).toThrow(says);
  });

  test("cannot compare two targets with both searches and conversations", () => {
    const plan = { ...planOf("mixed"), blocks, targets: { base: "http://a", head: "http://b" } };
    expect(() => checkedPlan(plan, getScenarioFacts("mixed"))).toThrow("mixed cannot compare two targets");
  });
});
