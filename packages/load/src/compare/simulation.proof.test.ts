/** @module-tag proof */

import { readFile } from "node:fs/promises";
import { type ComparisonPreset, comparisonPresets, type MetricComparison } from "@assay/results";
import { afterEach, describe, expect, test } from "vitest";
import { comparePaired } from "./compare-paired.ts";
import { presets } from "./presets.ts";
import { shareAtLeast, shareAtMost } from "./testing/binomial-bounds.ts";
import {
  censoredCases,
  censoredFigures,
  censoredSamples,
  simulateCensored,
  simulateCensoredMany,
} from "./testing/simulate-censored.ts";
import { alikeQueries, unlikeQueries } from "./testing/latency-model.ts";
import { boundConfidence, presetTable, renderSimulation } from "./testing/render-simulation.ts";
import { seededRandom } from "./testing/seeded-random.ts";
import {
  conversationPairs,
  conversationPlan,
  conversationSamples,
  simulateConversations,
  simulateConversationsMany,
  slowerHead,
} from "./testing/simulate-conversations.ts";
import { measuredPairs, simulatedPlan, simulatedSamples, simulatePairs } from "./testing/simulate-pairs.ts";
import {
  judgeAsIs,
  judgePairs,
  type SimulatedPreset,
  simulatePreset,
  simulateTail,
} from "./testing/simulate-preset.ts";
import { simulateStoredMany } from "./testing/simulate-stored-many.ts";

/** More trials, more changes and more kinds of load, for the published page; minutes instead of seconds. */
const isFull = process.env["ASSAY_SIMULATION"] === "full";
const page = new URL("../../../../reports/benchmarks/comparison.md", import.meta.url);

// Without any alarm, 459 trials bound the share of alarms by 1 % with 99 % confidence.
const trials = isFull ? 3000 : 480;
// A quick comparison sends half as many requests. 130 trials of the others suffice for all but that bound.
const trialsOf = (preset: ComparisonPreset): number => {
  if (isFull) {
    return preset === "thorough" ? 1000 : trials;
  }
  return preset === "quick" ? trials : trials;
};
const storedTrials = isFull ? 1500 : 480;
const changes = isFull ? [0, 0.05, 0.1, 0.15, 0.2] : [0, 0.1, 0.2];
const hour = 3_600_000;

const eachPreset = comparisonPresets.map((preset) => ({ preset }));
const boundedPresets = eachPreset.filter(({ preset }) => trialsOf(preset) >= 459);

const simulate = (preset: ComparisonPreset, model = alikeQueries): SimulatedPreset =>
  simulatePreset({ preset, model, trials: trialsOf(preset), seed: 20_260_101, changes, offsetSds: [0, 0.01] });

const alike = comparisonPresets.map((preset) => simulate(preset));
const storedOrders = isFull
  ? (["alternating", "in sequence", "on two days"] as const)
  : (["alternating", "on two days"] as const);
// Of the presets only the margins matter here, and those of the 99th percentile alone differ between standard and thorough.
const stored = storedOrders.flatMap((order) =>
  (isFull ? [0, 0.1, 0.2, 0.3] : [0]).map((change) =>
    simulateStoredMany({ preset: "standard", order, change, trials: storedTrials, seed: 20_260_102 }),
  ),
);

const conversationTrials = isFull ? 480 : 480;
/** Polls a hundredth of the typical time apart, and a twentieth. */
const pollIntervals = isFull ? [300, 1500] : [300];
const conversations = pollIntervals.map((pollEveryMs) => ({
  pollEveryMs,
  presets: (isFull ? (["quick", "standard"] as const) : (["quick"] as const)).map((preset) =>
    simulateConversationsMany({ preset, trials: conversationTrials, seed: 20_260_104, changes, pollEveryMs }),
  ),
}));

const censoredTrials = isFull ? 480 : 480;
const censored = censoredCases.flatMap((hindered) =>
  (isFull ? (["quick", "standard"] as const) : (["quick"] as const)).flatMap((preset) =>
    (isFull ? [0, 0.1, 0.2, -0.2, -0.4] : [0, -0.4]).map((change) =>
      simulateCensoredMany(hindered, { preset, change, trials: censoredTrials, seed: 20_260_105 }),
    ),
  ),
);
/** Both sides lose the same requests. */
const alikeHindered = new Set(censoredCases.filter(({ base, head }) => base === head).map(({ name }) => name));
const saturated = new Set(censoredCases.filter(({ head }) => head.notBegun !== undefined).map(({ name }) => name));

const conversationFamilies = conversations.map(({ pollEveryMs, presets: simulated }) => ({
  title: `Polls ${pollEveryMs / 300} % of the typical time apart`,
  presets: simulated,
}));

const columnOf = (preset: ComparisonPreset, change: number, offsetSd: number) => {
  const column = alike
    .find((one) => one.preset === preset)
    ?.columns.find((one) => one.change === change && one.offsetSd === offsetSd);
  expect(column).toBeDefined();
  return column!;
};

const regressedBy = (preset: ComparisonPreset, metric: string, change: number): number =>
  columnOf(preset, change, 0).metrics.find((one) => one.metric === metric)!.verdicts.regressed;

/** The ends of an interval differ by the rounding of a product and a sum. */
const rounded = ({ metric, verdict, low = 0, high = 0, change = 0 }: MetricComparison) => ({
  metric,
  verdict,
  ends: [low, change, high].map((value) => value.toFixed(9)),
});

describe("the shortcut of the simulation", () => {
  test.each(comparisonPresets.flatMap((preset) => [0, 0.1, 0.2].map((change) => ({ preset, change }))))(
    "judges $preset with a change of $change as a comparison of samples does",
    ({ preset, change }) => {
      const design = presets[preset];
      const pairs = simulatePairs(design, { base: alikeQueries, head: unlikeQueries }, seededRandom(7 + change * 100));
      const slower = pairs.map(({ base, head }) => ({ base, head: head.map((latency) => latency * (1 + change)) }));
      const real = comparePaired({
        samples: simulatedSamples(slower, design),
        plan: simulatedPlan(design),
        preset,
        base: "base",
        head: "head",
      });
      const [short] = judgePairs(measuredPairs(pairs), preset, [Math.log1p(change)]);
      expect(real.verdict).toBe(short?.overall);
      expect(real.metrics.map(rounded)).toEqual(short?.metrics.map(rounded));
      expect(real.metrics.map(({ units }) => units)).toEqual(real.metrics.map(() => design.pairs));
    },
  );
});

describe("the shortcut of the simulation of questions", () => {
  test.each([0, 0.2].flatMap((change) => [300, 1500].map((pollEveryMs) => ({ change, pollEveryMs }))))(
    "judges polls each $pollEveryMs ms and a change of $change as a comparison of samples does",
    ({ change, pollEveryMs }) => {
      const design = presets.quick;
      const pairs = slowerHead(simulateConversations(design, seededRandom(9 + change * 100)), 1 + change);
      const real = comparePaired({
        samples: conversationSamples(pairs, design, pollEveryMs),
        plan: conversationPlan(design),
        preset: "quick",
        base: "base",
        head: "head",
      });
      const short = judgeAsIs(conversationPairs(pairs, pollEveryMs), "quick", "conversation");
      expect(real.verdict).toBe(short.overall);
      expect(real.metrics.map(rounded)).toEqual(short.metrics.map(rounded));
    },
  );
});

describe("the shortcut of the simulation of censored times", () => {
  test.each(censoredCases.flatMap((hindered) => [0, 0.3].map((change) => ({ name: hindered.name, hindered, change }))))(
    "judges as a comparison of samples does where $name and the change is $change",
    ({ hindered, change }) => {
      const design = presets.quick;
      const pairs = simulateCensored(design, hindered, { factor: 1 + change, random: seededRandom(11) });
      const real = comparePaired({
        samples: censoredSamples(pairs, design),
        plan: simulatedPlan(design),
        preset: "quick",
        base: "base",
        head: "head",
      });
      const short = judgeAsIs(censoredFigures(pairs), "quick", "stream");
      expect(real.metrics.map(rounded)).toEqual(short.metrics.map(rounded));
      expect(real.metrics.map((metric) => metric.censored)).toEqual(short.metrics.map((metric) => metric.censored));
    },
  );
});

describe("false alarms", () => {
  test.each(censored.filter(({ name, column }) => alikeHindered.has(name) && column.change === 0))(
    "of $preset are at most 1 % of the trials where $name and nothing differs",
    ({ column, trials: trialCount }) => {
      expect(column.anyCalled / trialCount).toBeLessThanOrEqual(0.01);
    },
  );

  test.each(censored.filter(({ name, column }) => saturated.has(name) && column.change < 0))(
    "of $preset: nothing has improved where $name, however much faster the rest is",
    ({ column }) => {
      expect(column.anyImproved).toBe(0);
    },
  );

  test.each(
    conversations.flatMap(({ pollEveryMs, presets: simulated }) => simulated.map((one) => ({ pollEveryMs, ...one }))),
  )(
    "about questions, $preset, polled each $pollEveryMs ms, are at most 1 % of the trials when nothing differs",
    ({ columns, trials: trialCount }) => {
      expect((columns[0]?.anyCalled ?? trialCount) / trialCount).toBeLessThanOrEqual(0.01);
    },
  );

  test.each(boundedPresets)("of $preset are at most 1 % when nothing differs, with 99 % confidence", ({ preset }) => {
    expect(shareAtMost(columnOf(preset, 0, 0).anyCalled, trialsOf(preset), boundConfidence)).toBeLessThanOrEqual(0.01);
  });

  test.each(eachPreset)(
    "of $preset are at most 1 % of the trials when nothing differs, or instances of one version by 1 %",
    ({ preset }) => {
      const calls = [0, 0.01].map((offsetSd) => columnOf(preset, 0, offsetSd).anyCalled);
      expect(Math.max(...calls) / trialsOf(preset)).toBeLessThanOrEqual(0.01);
    },
  );

  test.each(stored.filter(({ change }) => change === 0))(
    "of 10 stored runs against 10, $preset, $order, are at most 1 % of the trials",
    ({ anyCalled, trials: trialCount }) => {
      expect(anyCalled / trialCount).toBeLessThanOrEqual(0.01);
    },
  );
});

describe("intervals", () => {
  test.each(eachPreset)("of $preset exclude zero no more often than promised when nothing differs", ({ preset }) => {
    expect(shareAtLeast(columnOf(preset, 0, 0).anyBesideZero, trialsOf(preset), boundConfidence)).toBeLessThanOrEqual(
      0.01,
    );
  });

  test("without margins would blame the version for the instance, so the margins prevent false alarms of thorough", () => {
    expect(
      shareAtLeast(columnOf("thorough", 0, 0.01).anyBesideZero, trialsOf("thorough"), boundConfidence),
    ).toBeGreaterThan(0.02);
  });
});

describe("power of thorough", () => {
  test.each([
    { metric: "first-match by query", change: 0.1 },
    { metric: "first-match p50", change: 0.1 },
    { metric: "first-match p95", change: 0.2 },
  ])("is at least 90 % for $metric and a change of $change, with 99 % confidence", ({ metric, change }) => {
    const hits = regressedBy("thorough", metric, change);
    expect(shareAtLeast(hits, trialsOf("thorough"), boundConfidence)).toBeGreaterThanOrEqual(0.9);
  });
});

test("the results are printed", () => {
  const text = renderSimulation({
    paired: [{ title: "Queries that are alike", presets: alike }],
    tail: [],
    conversations: conversationFamilies,
    censored,
    stored,
  });
  process.stdout.write(`\n${text}\n`);
  expect(text).toContain("| standard | +10.0 % | 0.0 % |");
});

/** Names of failed tests, since nothing failed is published. */
const failed: string[] = [];
afterEach(({ task }) => {
  if (task.result?.state === "fail") {
    failed.push(task.name);
  }
});

const expectPresets = async (): Promise<void> => {
  expect(await readFile(page, "utf8")).toContain(presetTable());
};

/** Runs the simulations that only the page has, and compares the whole page. Writes it with `--update`. */
const expectPage = async (): Promise<void> => {
  const more = { trials: 600, seed: 20_260_103 };
  const unlike = comparisonPresets.map((preset) =>
    simulatePreset({ ...more, preset, model: unlikeQueries, changes, offsetSds: [0, 0.01] }),
  );
  const tail = comparisonPresets.map((preset) =>
    simulateTail({ ...more, preset, model: alikeQueries, changes: [0, 0.5, 1, 2], offsetSds: [0] }),
  );
  const paired = [
    { title: "Queries that are alike: all spread lies between requests", presets: alike },
    { title: "50 queries of different cost: standard deviation 0.41 between queries, 0.19 within", presets: unlike },
  ];
  expect(failed).toEqual([]);
  await expect(
    renderSimulation({ paired, tail, conversations: conversationFamilies, censored, stored }),
  ).toMatchFileSnapshot(page.pathname);
};
const checkPage = isFull ? expectPage : expectPresets;

test(
  "the published page belongs to these presets, and with ASSAY_SIMULATION=full to this very simulation",
  async () => {
    await expect(checkPage()).resolves.toBeUndefined();
  },
  hour,
);
