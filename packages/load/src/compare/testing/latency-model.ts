import type { SeededRandom } from "./seeded-random.ts";

/** A model of latencies: lognormal, with some slow requests, and slowdowns of the machine that affect all of them. */
export interface LatencyModel {
  /** Standard deviation of the logarithm: between queries, and between requests for one query. */
  readonly querySd: number;
  readonly withinSd: number;
  /** Share of requests that take 4 times as long. */
  readonly slowShare: number;
}

/** All variation is between requests: the harder case, in which a fixed list of queries does not help. */
export const alikeQueries: LatencyModel = { querySd: 0, withinSd: 0.45, slowShare: 0.03 };

/** The same variation in total, but most of it between cheap and costly queries. */
export const unlikeQueries: LatencyModel = { querySd: 0.41, withinSd: 0.19, slowShare: 0.03 };

export const simulatedQueries = 50;

/** Logarithm of the cost of each query. */
export const queryCosts = ({ querySd }: LatencyModel, random: SeededRandom): Float64Array =>
  Float64Array.from({ length: simulatedQueries }, () => querySd * random.normal());

const driftSd = 0.04;
const driftMemory = 0.9;
const burstChance = 0.015;
const burstSlots = 3;
const burst = Math.log(1.25);

/**
 * Logarithms of the slowdown in successive slots of 10 s: a slow drift with a deviation of 4 %, and an occasional burst of 25 %
 * for some slots.
 */
export const weather = (slots: number, { even, normal }: SeededRandom): Float64Array => {
  let drift = driftSd * normal();
  let left = 0;
  return Float64Array.from({ length: slots }, () => {
    drift = driftMemory * drift + driftSd * Math.sqrt(1 - driftMemory ** 2) * normal();
    left = Math.max(0, left - 1);
    if (left === 0 && even() < burstChance) {
      left = 1 + Math.floor(-Math.log(even()) * burstSlots);
    }
    return drift + (left > 0 ? burst : 0);
  });
};

const typicalMs = 100;
const slow = Math.log(4);

/** Milliseconds of successive requests in one slot; request `i` asks for query `i % simulatedQueries`. */
export const slotLatencies = (
  requests: number,
  logSlowdown: number,
  {
    model,
    costs,
    random,
  }: { readonly model: LatencyModel; readonly costs: Float64Array; readonly random: SeededRandom },
): Float64Array => {
  const latencies = new Float64Array(requests);
  for (let request = 0; request < requests; request += 1) {
    const cost = costs[request % simulatedQueries] ?? 0;
    const extra = random.even() < model.slowShare ? slow : 0;
    latencies[request] = typicalMs * Math.exp(logSlowdown + cost + model.withinSd * random.normal() + extra);
  }
  return latencies;
};
