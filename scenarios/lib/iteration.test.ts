import type { LoadPlan } from "@assay/results";
import { describe, expect, test } from "vitest";
import { createDefaultPlan } from "../src/default-plan.ts";
import { arrivalsOf, type LoadFlow } from "./arrivals.ts";
import { type Arrival, type Task, taskOf } from "./iteration.ts";
import { conversationFlow, searchFlow } from "./load-flows.ts";

const usual: LoadPlan = {
  ...createDefaultPlan("mixed"),
  targets: { base: "http://a", head: "http://b" },
  ratePerSecond: 10,
  durationMs: 5000,
  warmupMs: 2000,
  queries: ["one", "two", "three"].map((name) => ({ name, text: `text ${name}` })),
  conversation: {
    interface: "current",
    pollIntervalMs: 1000,
    deadlineMs: 5000,
    questions: [{ name: "why", text: "Why?" }],
    marker: "marker-of-a-run",
    budget: 3,
  },
};

const taskAt = (arrival: Arrival, plan: LoadPlan = usual, flow: LoadFlow = searchFlow(plan)): Task | undefined =>
  taskOf({ plan, flow, arrivals: arrivalsOf(plan, flow) }, arrival);

describe("a task", () => {
  test("is planned at the beginning of its scenario and its time in it", () => {
    expect(taskAt({ scenario: "measure", index: 4, startMs: 2000.5 })).toEqual({
      iteration: { flow: "search", phase: "measure", side: "base", query: "two", planMs: 2400.5 },
      asked: { name: "two", text: "text two" },
      target: "http://a",
      number: 24,
    });
  });

  test("of the warm-up is marked, and counted before the measured ones", () => {
    const task = taskAt({ scenario: "warmup", index: 4, startMs: 0 });
    expect([task?.iteration.phase, task?.number]).toEqual(["warmup", 4]);
  });

  test("of conversations asks a question", () => {
    const flow = conversationFlow(usual);
    expect(taskAt({ scenario: "measure", index: 0, startMs: 0 }, usual, flow)?.asked.text).toBe("Why?");
  });

  test("of the head goes to its target, with its block and pair", () => {
    const blocks = { pairs: 2, warmupPairs: 0, requestsPerBlock: 3, gapRequests: 1, seed: 9 };
    const task = taskAt({ scenario: "measure", index: 5, startMs: 100 }, { ...usual, blocks });
    expect(task).toMatchObject({
      target: "http://b",
      iteration: { side: "head", block: 1, pair: 0, phase: "measure", planMs: 600 },
    });
    expect(task?.asked.name).toBe(task?.iteration.query);
  });

  test("does not exist in a gap between blocks", () => {
    const blocks = { pairs: 1, warmupPairs: 0, requestsPerBlock: 3, gapRequests: 1, seed: 9 };
    expect(taskAt({ scenario: "measure", index: 3, startMs: 0 }, { ...usual, blocks })).toBeUndefined();
  });

  test("of an unknown scenario is a mistake in the script", () => {
    expect(() => taskAt({ scenario: "other", index: 0, startMs: 0 })).toThrow("there is no scenario other");
  });
});
