/** @module-tag proof */

import { describe, expect, test } from "vitest";
import { shareAtLeast } from "../compare/testing/binomial-bounds.ts";
import { renderThresholdSimulation } from "./testing/render-threshold-simulation.ts";
import {
  type Hindrance,
  hindrances,
  type SimulatedThreshold,
  simulateThreshold,
  type ThresholdSetting,
} from "./testing/simulate-threshold.ts";

const page = new URL("../../../../reports/benchmarks/threshold.md", import.meta.url);

const trials = 460;
const ratios = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 2];
const boundConfidence = 0.99;

const names: readonly Hindrance[] = ["none", "end of the run", "broken connections", "both, and weather"];
const settings: readonly ThresholdSetting[] = names.flatMap((hindrance) => [
  { percentile: "p50", samples: 30, hindrance },
  { percentile: "p50", samples: 600, hindrance },
  { percentile: "p95", samples: 50, hindrance },
  { percentile: "p95", samples: 120, hindrance },
  { percentile: "p95", samples: 600, hindrance },
  { percentile: "p99", samples: 600, hindrance },
]);
const simulated = settings.map((setting, index) =>
  simulateThreshold(setting, { ratios, trials, seed: 20_260_201 + index }),
);

const callsAt = ({ calls }: SimulatedThreshold, ratio: number) => calls.filter((one) => one.ratio === ratio);
const nameOf = ({ percentile, samples, hindrance }: SimulatedThreshold) => `${percentile} of ${samples}, ${hindrance}`;
const rows = simulated.map((one) => ({ name: nameOf(one), one }));

test("every hindrance is simulated", () => {
  expect([...names].sort()).toEqual(Object.keys(hindrances).sort());
});

describe("false alarms", () => {
  test.each(rows.filter(({ one }) => one.hindrance !== "both, and weather"))(
    "of a target that just keeps its limit are no more than 1 %: $name",
    ({ one }) => {
      const alarms = callsAt(one, 1).map(({ missed }) => shareAtLeast(missed, trials, boundConfidence));
      expect(alarms).toHaveLength(1);
      expect(Math.max(...alarms)).toBeLessThanOrEqual(0.01);
    },
  );

  test.each(rows)(
    "of a target that keeps its limit by a tenth are at most 1 % of the runs, in any weather: $name",
    ({ one }) => {
      const alarms = [0.8, 0.9].flatMap((ratio) => callsAt(one, ratio)).map(({ missed }) => missed / trials);
      expect(alarms).toHaveLength(2);
      expect(Math.max(...alarms)).toBeLessThanOrEqual(0.01);
    },
  );
});

describe("power", () => {
  test.each(rows.filter(({ one }) => one.samples === 600 && one.percentile !== "p99"))(
    "to see a quantile of twice its limit is at least 90 %: $name",
    ({ one }) => {
      const hits = callsAt(one, 2).map(({ missed }) => shareAtLeast(missed, trials, boundConfidence));
      expect(Math.min(...hits)).toBeGreaterThanOrEqual(0.9);
    },
  );

  test.each(rows)("a quantile of twice its limit almost never passes: $name", ({ one }) => {
    const hidden = callsAt(one, 2).map(({ kept }) => kept / trials);
    expect(Math.max(...hidden)).toBeLessThanOrEqual(0.01);
  });
});

test("the published page is this simulation", async () => {
  await expect(renderThresholdSimulation(simulated)).toMatchFileSnapshot(page.pathname);
});
