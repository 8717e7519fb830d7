import type { LoadSide } from "@assay/contract";
import type { LoadPlan, LoadSample, StreamSample } from "@assay/results";
import type { ComparisonDesign } from "../presets.ts";
import { estimateBacklog, type BlockFigures } from "../block-figures.ts";
import { exactTimes } from "./exact-times.ts";
import type { MeasuredPair } from "../paired-blocks.ts";
import { type LatencyModel, queryCosts, simulatedQueries, slotLatencies, weather } from "./latency-model.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Milliseconds of two blocks, in the order of their requests. */
export interface SimulatedPair {
  readonly base: Float64Array;
  readonly head: Float64Array;
}

/** The two sides of a simulation. */
export interface SimulatedSides {
  readonly base: LatencyModel;
  readonly head: LatencyModel;
}

/** Pairs of blocks, in alternating order; each block has its own slowdown, shared by all of its requests. */
export const simulatePairs = (
  { pairs, requestsPerBlock }: ComparisonDesign,
  sides: SimulatedSides,
  random: SeededRandom,
): readonly SimulatedPair[] => {
  const costs = queryCosts(sides.base, random);
  const slots = weather(2 * pairs, random);
  return Array.from({ length: pairs }, (_, pair) => {
    const baseSecond = pair % 2;
    const block = (slot: number, model: LatencyModel): Float64Array =>
      slotLatencies(requestsPerBlock, slots[2 * pair + slot] ?? 0, { model, costs, random });
    return { base: block(baseSecond, sides.base), head: block(1 - baseSecond, sides.head) };
  });
};

/** Between two requests of the simulated plan. */
export const everyMs = 50;

const noTimes = exactTimes(new Float64Array());

const figuresOf = (latencies: Float64Array): BlockFigures => {
  const rounds = latencies.length / simulatedQueries;
  const byQuery = new Float64Array(latencies.length);
  for (let request = 0; request < latencies.length; request += 1) {
    const place = (request % simulatedQueries) * rounds + Math.floor(request / simulatedQueries);
    byQuery[place] = latencies[request] ?? Number.NaN;
  }
  return {
    firstMatch: exactTimes(latencies.slice()),
    firstMatchByQuery: Array.from({ length: simulatedQueries }, (_, query) =>
      exactTimes(byQuery.subarray(query * rounds, (query + 1) * rounds)),
    ),
    terminal: noTimes,
    poll: noTimes,
    served: latencies.length,
    notBegun: 0,
    plannedMs: latencies.length * everyMs,
    backlogMs: estimateBacklog(
      Array.from(latencies, (latency, request) => ({ planMs: everyMs * request, endMs: everyMs * request + latency })),
    ),
  };
};

/** The shortcut: the result of `groupIntoPairs`, without making the samples. */
export const measuredPairs = (pairs: readonly SimulatedPair[]): readonly MeasuredPair[] =>
  pairs.map(({ base, head }) => ({ base: figuresOf(base), head: figuresOf(head) }));

const planned: Omit<LoadPlan, "blocks"> = {
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://127.0.0.1:1", head: "http://127.0.0.1:2" },
  shape: "steady",
  ratePerSecond: 1000 / everyMs,
  durationMs: 0,
  warmupMs: 0,
  queries: Array.from({ length: simulatedQueries }, (_, query) => ({ name: `q${query}`, text: `q${query}` })),
  timeoutMs: 60_000,
  maxEventBytes: 1,
  maxVus: 10,
};

export const simulatedPlan = ({ pairs, warmupPairs, requestsPerBlock }: ComparisonDesign): LoadPlan => ({
  ...planned,
  blocks: { pairs, warmupPairs, requestsPerBlock, gapRequests: 0, seed: 1 },
});

/** One search with this latency. */
export const sampleOf = (
  latencyMs: number,
  at: { readonly pair: number; readonly side: LoadSide; readonly request: number },
): StreamSample => ({
  kind: "stream",
  flow: "search",
  phase: "measure",
  side: at.side,
  block: 2 * at.pair + (at.side === "base" ? 0 : 1),
  pair: at.pair,
  query: `q${at.request % simulatedQueries}`,
  planMs: everyMs * at.request,
  sendMs: everyMs * at.request + 0.2,
  firstMatchMs: everyMs * at.request + latencyMs,
  endMs: everyMs * at.request + latencyMs + 1,
  outcome: "ok",
  events: 3,
  matches: 1,
  bytes: 100,
});

/** The long way: samples as a run stores them, with warm-up pairs of absurd latency before them. */
export function* simulatedSamples(
  pairs: readonly SimulatedPair[],
  { warmupPairs, requestsPerBlock }: ComparisonDesign,
): Generator<LoadSample> {
  const absurd = new Float64Array(requestsPerBlock).fill(1e6);
  const all = [
    ...Array.from({ length: warmupPairs }, () => ({ base: absurd, head: new Float64Array(requestsPerBlock).fill(1) })),
    ...pairs,
  ];
  for (const [pair, { base, head }] of all.entries()) {
    for (let request = 0; request < requestsPerBlock; request += 1) {
      yield sampleOf(base[request] ?? Number.NaN, { pair, side: "base", request });
      yield sampleOf(head[request] ?? Number.NaN, { pair, side: "head", request });
    }
  }
}
