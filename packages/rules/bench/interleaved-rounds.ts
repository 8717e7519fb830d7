import { layers, runLayer } from "./layers.ts";
import type { LayerName, Material } from "./layers.ts";
import { median } from "./quantile.ts";
import { seededRandom } from "./seeded-random.ts";

/** Times in milliseconds of each layer, one for each round. */
export type RoundTimes = Readonly<Record<LayerName, readonly number[]>>;

/**
 * Runs every layer once in each round, each round in another order: what slows the machine down for a while slows all of
 * them, and ratios within a round stay comparable. No garbage collection is forced between layers: when no stream is being
 * judged, it makes V8 discard the optimized code of the checker, which then runs at half its speed. No real run does that.
 */
export function interleavedRounds(material: Material, rounds: number): RoundTimes {
  const times: Record<LayerName, number[]> = {
    "json-parse": [],
    "standard-parser": [],
    textbook: [],
    framing: [],
    "framing-and-json": [],
    "full-check": [],
  };
  for (const layer of layers) {
    runLayer(layer, material);
  }
  const random = seededRandom(rounds);
  for (let round = 0; round < rounds; round += 1) {
    const order = layers.map((layer) => ({ layer, key: random.next() })).sort((a, b) => a.key - b.key);
    for (const { layer } of order) {
      const start = performance.now();
      runLayer(layer, material);
      times[layer.name].push(performance.now() - start);
    }
  }
  return times;
}

/** How many times as fast as the baseline a layer is: the median of the ratios within the rounds. */
export const speedRatio = (times: RoundTimes, layer: LayerName, baseline: LayerName): number =>
  median(times[layer].map((time, round) => (times[baseline][round] ?? Number.NaN) / time));
