import type { ComparisonPreset, ComparisonVerdict } from "@assay/results";
import { compareStored } from "../compare-stored.ts";
import { alikeQueries } from "./latency-model.ts";
import { seededRandom } from "./seeded-random.ts";
import { type StoredSimulation, simulateStored } from "./simulate-stored.ts";

export interface SimulatedStored {
  readonly preset: ComparisonPreset;
  readonly order: StoredSimulation["order"];
  readonly change: number;
  readonly trials: number;
  readonly overall: Readonly<Record<ComparisonVerdict, number>>;
  /** Trials in which any metric was called regressed or improved. */
  readonly anyCalled: number;
}

/** Compares 10 simulated runs with 10 others, many times, with the code for stored runs. */
export const simulateStoredMany = ({
  preset,
  order,
  change,
  trials,
  seed,
}: Pick<SimulatedStored, "preset" | "order" | "change" | "trials"> & { readonly seed: number }): SimulatedStored => {
  const random = seededRandom(seed);
  const overall = { improved: 0, unchanged: 0, regressed: 0, inconclusive: 0 };
  let anyCalled = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const sides = simulateStored({ runsPerSide: 10, model: alikeQueries, logShift: Math.log1p(change), order }, random);
    const { verdict, metrics } = compareStored(sides.base, sides.head, { base: "base", head: "head", preset });
    overall[verdict] += 1;
    anyCalled += metrics.some((metric) => metric.verdict === "regressed" || metric.verdict === "improved") ? 1 : 0;
  }
  return { preset, order, change, trials, overall, anyCalled };
};
