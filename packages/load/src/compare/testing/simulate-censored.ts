import type { ComparisonPreset, LoadSample } from "@assay/results";
import { estimateBacklog, type BlockFigures, toTimeBounds, type BoundedTime } from "../block-figures.ts";
import { exactTimes } from "./exact-times.ts";
import type { MeasuredPair } from "../paired-blocks.ts";
import { type ComparisonDesign, presets } from "../presets.ts";
import { alikeQueries, simulatedQueries } from "./latency-model.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { everyMs, sampleOf, simulatePairs } from "./simulate-pairs.ts";
import { columnOf, judgeAsIs, type SimulatedColumn } from "./simulate-preset.ts";

/** Why requests of one side do not finish. */
export interface Hindrance {
  /** Share of requests whose first match never comes. */
  readonly lost?: number;
  /** Share of arrivals that cannot begin. */
  readonly notBegun?: number;
  /** Time for which a request is watched [60 s]. */
  readonly watchedMs?: number;
  /** Share of the offered rate that is served; other requests wait in a growing queue [all]. */
  readonly served?: number;
}

/** A kind of run with censored times. */
export interface CensoredCase {
  readonly name: string;
  readonly base: Hindrance;
  readonly head: Hindrance;
}

const onBoth = (name: string, hindrance: Hindrance): CensoredCase => ({ name, base: hindrance, head: hindrance });

export const censoredCases: readonly CensoredCase[] = [
  onBoth("1 % of both never come", { lost: 0.01 }),
  onBoth("10 % of both never come", { lost: 0.1 }),
  onBoth("both are watched for 150 ms, and a fifth is later", { watchedMs: 150 }),
  { name: "10 % of the head never come", base: {}, head: { lost: 0.1 } },
  { name: "2 % of the head cannot begin", base: {}, head: { notBegun: 0.02 } },
  { name: "the head serves 80 % of the rate, and a queue grows", base: {}, head: { served: 0.8 } },
];

const untilTheEndMs = 1e6;

/** One simulated request. */
export interface WatchedRequest {
  readonly ms: number;
  readonly end: "seen" | "cut-off" | "not-begun";
}

const watchedRequests = (
  latencies: Float64Array,
  { lost = 0, notBegun = 0, watchedMs = 60_000, served = 1 }: Hindrance,
  random: SeededRandom,
): readonly WatchedRequest[] =>
  Array.from(latencies, (latency, request) => {
    const waits = request * everyMs * (1 / served - 1);
    const chance = random.even();
    if (chance < notBegun) {
      return { ms: untilTheEndMs, end: "not-begun" };
    }
    const ms = chance < notBegun + lost ? Number.POSITIVE_INFINITY : latency + waits;
    return ms > watchedMs ? { ms: watchedMs, end: "cut-off" } : { ms, end: "seen" };
  });

/** The requests of two blocks. */
export interface CensoredPair {
  readonly base: readonly WatchedRequest[];
  readonly head: readonly WatchedRequest[];
}

/** Pairs with a head that is slower by a factor, and with requests of both sides that do not finish. */
export const simulateCensored = (
  design: ComparisonDesign,
  { base, head }: CensoredCase,
  { factor, random }: { readonly factor: number; readonly random: SeededRandom },
): readonly CensoredPair[] =>
  simulatePairs(design, { base: alikeQueries, head: alikeQueries }, random).map((pair) => ({
    base: watchedRequests(pair.base, base, random),
    head: watchedRequests(
      pair.head.map((latency) => latency * factor),
      head,
      random,
    ),
  }));

const timeOf = ({ ms, end }: WatchedRequest): BoundedTime => ({
  earliestMs: ms,
  latestMs: end === "seen" ? ms : Number.POSITIVE_INFINITY,
});

const figuresOf = (requests: readonly WatchedRequest[]): BlockFigures => {
  const times = requests.map(timeOf);
  const noTimes = exactTimes(new Float64Array());
  const served = requests.flatMap(({ ms, end }, request) =>
    end === "seen" ? [{ planMs: everyMs * request, endMs: everyMs * request + ms }] : [],
  );
  return {
    firstMatch: toTimeBounds(times),
    firstMatchByQuery: Array.from({ length: simulatedQueries }, (_, query) =>
      toTimeBounds(times.filter((_time, request) => request % simulatedQueries === query)),
    ),
    terminal: noTimes,
    poll: noTimes,
    served: served.length,
    notBegun: requests.filter(({ end }) => end === "not-begun").length,
    plannedMs: requests.length * everyMs,
    backlogMs: estimateBacklog(served),
  };
};

/** The shortcut: the result of `groupIntoPairs`, without making the samples. */
export const censoredFigures = (pairs: readonly CensoredPair[]): readonly MeasuredPair[] =>
  pairs.map(({ base, head }) => ({ base: figuresOf(base), head: figuresOf(head) }));

const outcomes = { seen: "ok", "cut-off": "timeout", "not-begun": "not-begun" } as const;

/** The long way: samples as a run stores them; the last ends with the run. */
export function* censoredSamples(
  pairs: readonly CensoredPair[],
  { warmupPairs }: ComparisonDesign,
): Generator<LoadSample> {
  for (const [index, pair] of pairs.entries()) {
    for (const [side, requests] of [
      ["base", pair.base],
      ["head", pair.head],
    ] as const) {
      for (const [request, { ms, end }] of requests.entries()) {
        const { firstMatchMs, ...sample } = sampleOf(ms, { pair: warmupPairs + index, side, request });
        const endMs = end === "not-begun" ? sample.planMs : sample.planMs + ms;
        yield end === "seen"
          ? { ...sample, ...(firstMatchMs === undefined ? {} : { firstMatchMs }) }
          : { ...sample, outcome: outcomes[end], endMs };
      }
    }
  }
  const { firstMatchMs: _, ...last } = sampleOf(1, { pair: 0, side: "base", request: 0 });
  yield { ...last, phase: "warmup", outcome: "canceled", endMs: untilTheEndMs };
}

/** Verdicts of all trials of one case with one true change. */
export interface SimulatedCensored {
  readonly name: string;
  readonly preset: ComparisonPreset;
  readonly trials: number;
  readonly column: SimulatedColumn;
}

/** Compares such runs many times. */
export const simulateCensoredMany = (
  hindered: CensoredCase,
  {
    preset,
    change,
    trials,
    seed,
  }: { readonly preset: ComparisonPreset; readonly change: number; readonly trials: number; readonly seed: number },
): SimulatedCensored => {
  const random = seededRandom(seed);
  const judged = Array.from({ length: trials }, () =>
    judgeAsIs(
      censoredFigures(simulateCensored(presets[preset], hindered, { factor: 1 + change, random })),
      preset,
      "stream",
    ),
  );
  return { name: hindered.name, preset, trials, column: columnOf(change, 0, judged) };
};
