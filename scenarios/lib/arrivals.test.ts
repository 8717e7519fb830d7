import { type LoadPlan, loadShapes } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDefaultPlan } from "../src/default-plan.ts";
import { type Arrivals, arrivalAt, arrivalsOf } from "./arrivals.ts";
import { exampleTask } from "./testing/scripted-target.ts";
import { notBegun } from "./not-begun.ts";
import { searchFlow, sideConversationFlow } from "./load-flows.ts";

const { conversation: _, ...usual } = createDefaultPlan("search-first-match");

const planWith = (changes: Partial<LoadPlan>): LoadPlan => ({ ...usual, targets: { base: "http://a" }, ...changes });

const phasesOf = (changes: Partial<LoadPlan>): readonly Arrivals[] => {
  const plan = planWith(changes);
  return arrivalsOf(plan, searchFlow(plan));
};

const microsOf = (duration: string): number => Number(duration.replace("us", ""));

const durationOf = ({ scenario }: Arrivals): number => {
  const stages = "stages" in scenario ? (scenario.stages ?? []) : [];
  const durations = "duration" in scenario ? [scenario.duration ?? ""] : stages.map(({ duration }) => duration);
  return durations
    .map((duration) => (duration.endsWith("us") ? microsOf(duration) / 1000 : Number(duration.replace("s", "")) * 1000))
    .reduce((sum, ms) => sum + ms, 0);
};

describe("arrivals", () => {
  test("have two phases: the measured one starts when the warm-up has ended", () => {
    const phases = phasesOf({ ratePerSecond: 4, durationMs: 30_000, warmupMs: 5000 });
    expect(phases.map(({ name, phase, count }) => ({ name, phase, count }))).toEqual([
      { name: "warmup", phase: "warmup", count: 20 },
      { name: "measure", phase: "measure", count: 120 },
    ]);
    expect(phases.map(({ scenario }) => scenario.startTime)).toEqual(["0us", "5000000us"]);
    expect(phases.map(({ scenario }) => scenario.tags)).toEqual([
      { phase: "warmup", flow: "search" },
      { phase: "measure", flow: "search" },
    ]);
  });

  test("have no warm-up if the plan has none", () => {
    expect(phasesOf({ warmupMs: 0 }).map(({ name }) => name)).toEqual(["measure"]);
  });

  test("warm up at the first rate of a shape", () => {
    const [warmup] = phasesOf({ shape: "breakpoint", ratePerSecond: 20, warmupMs: 10_000 });
    expect(warmup?.count).toBe(20);
  });

  test("leave time for the longest iteration before k6 stops it", () => {
    const plan = planWith({ timeoutMs: 7000 });
    const [arrivals] = arrivalsOf(plan, searchFlow(plan));
    expect(microsOf(arrivals?.scenario.gracefulStop ?? "")).toBeGreaterThan(7_000_000);
  });

  test("of conversations in a mixed load have their own names and a tenth of the rate", () => {
    const plan = planWith({ ratePerSecond: 20, durationMs: 10_000, warmupMs: 1000 });
    const phases = arrivalsOf(plan, sideConversationFlow(plan));
    expect(phases.map(({ name, count }) => [name, count])).toEqual([
      ["warmup_conversation", 2],
      ["measure_conversation", 20],
    ]);
  });

  test("of blocks are one k6 scenario", () => {
    const blocks = { pairs: 2, warmupPairs: 1, requestsPerBlock: 5, gapRequests: 1, seed: 3 };
    expect(phasesOf({ blocks }).map(({ name, count }) => [name, count])).toEqual([["measure", 35]]);
  });

  test("fit into the duration that k6 gets, with no room for another one", () => {
    const rates = fc.double({ min: 0.1, max: 200, noNaN: true });
    const durations = fc.integer({ min: 1000, max: 600_000 });
    fc.assert(
      fc.property(fc.constantFrom(...loadShapes), rates, durations, (shape, ratePerSecond, durationMs) => {
        for (const arrivals of phasesOf({ shape, ratePerSecond, durationMs })) {
          const { count, timeOf, scenario } = arrivals;
          const constant = scenario.executor === "constant-arrival-rate";
          expect(durationOf(arrivals)).toBeGreaterThanOrEqual(1000);
          expect(timeOf(count - 1)).toBeLessThan(durationOf(arrivals));
          expect(!constant || timeOf(count) > durationOf(arrivals)).toBe(true);
        }
      }),
    );
  });

  test("never go back", () => {
    fc.assert(
      fc.property(fc.constantFrom(...loadShapes), fc.integer({ min: 1, max: 50 }), (shape, ratePerSecond) => {
        const times = phasesOf({ shape, ratePerSecond, durationMs: 20_000 }).map(({ count, timeOf }) =>
          Array.from({ length: count }, (_arrival, index) => timeOf(index)),
        );
        expect(times.map((list) => list.toSorted((one, other) => one - other))).toEqual(times);
      }),
    );
  });

  test("at one rate have k6's times: the first at once, then whole periods", () => {
    const [arrivals] = phasesOf({ ratePerSecond: 3, warmupMs: 0, durationMs: 60_000 });
    // A period is truncated to whole nanoseconds, so the fourth arrival is a nanosecond early.
    expect([0, 1, 3].map((index) => Math.round((arrivals?.timeOf(index) ?? 0) * 1e6))).toEqual([
      0, 333333333, 999999999,
    ]);
  });

  test("at a changing rate have k6's times: the first when the integral reaches one", () => {
    const [arrivals] = phasesOf({ shape: "spike", ratePerSecond: 10, warmupMs: 0, durationMs: 6000 });
    expect([0, 5, 6, 25].map((index) => Math.round(arrivals?.timeOf(index) ?? 0))).toEqual([333, 2000, 2100, 4000]);
    expect(arrivals?.count).toBe(32);
  });
});

test("an arrival is found by its planned time in every shape", () => {
  fc.assert(
    fc.property(fc.constantFrom(...loadShapes), fc.integer({ min: 1, max: 40 }), (shape, ratePerSecond) => {
      const measured = phasesOf({ shape, ratePerSecond, durationMs: 20_000, warmupMs: 0 })[0];
      const indexes = Array.from({ length: measured?.count ?? 0 }, (_none, index) => index);
      // k6 notices a dropped arrival shortly after its planned time.
      const found = measured && indexes.map((index) => arrivalAt(measured, measured.timeOf(index) + 0.01));
      expect(found).toEqual(indexes);
    }),
  );
});

test("a time before the first arrival finds the first one, and a time after the last finds the last one", () => {
  const arrivals = { timeOf: (index: number) => 100 * index + 50, count: 3 };
  expect([-10, 0, 149, 150, 9999].map((atMs) => arrivalAt(arrivals, atMs))).toEqual([0, 0, 0, 1, 2]);
});

test("the plan limits the virtual users only if a slow target could need more", () => {
  const limits = [4, 130, 200].map(
    (maxVus) => phasesOf({ maxVus, ratePerSecond: 2, durationMs: 600_000, warmupMs: 0 })[0],
  );
  expect(limits.map((one) => [one?.isAtLimit, one?.scenario.executor])).toEqual([
    [true, "constant-arrival-rate"],
    [true, "constant-arrival-rate"],
    [false, "constant-arrival-rate"],
  ]);
});

test.each([
  ["search", { kind: "stream", events: 0, matches: 0, bytes: 0 }],
  ["conversation", { kind: "conversation", polls: 0 }],
] as const)("an arrival of a %s that could not begin is recorded with its plan alone", (name, own) => {
  const flow = { name, exec: name, suffix: "", ratePerSecond: 1, maxIterationMs: 1 } as const;
  const task = { ...exampleTask, iteration: { ...exampleTask.iteration, planMs: 1234 } };
  expect(notBegun(flow, task)).toEqual({
    ...task.iteration,
    ...own,
    sendMs: 1234,
    endMs: 1234,
    outcome: "not-begun",
  });
});
