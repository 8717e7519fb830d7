import type { ComparisonPreset, LoadPlan, LoadSample } from "@assay/results";
import { estimateBacklog, type BlockFigures, toTimeBounds } from "../block-figures.ts";
import { exactTimes } from "./exact-times.ts";
import type { MeasuredPair } from "../paired-blocks.ts";
import { type ComparisonDesign, presets } from "../presets.ts";
import { alikeQueries, queryCosts, slotLatencies, weather } from "./latency-model.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { seededRandom } from "./seeded-random.ts";
import { simulatedPlan } from "./simulate-pairs.ts";
import { columnOf, halfWidthsOf, judgeAsIs, type SimulatedPreset, type Trial } from "./simulate-preset.ts";

/** One block of conversations, in the order of their creation. */
interface ConversationBlock {
  /** When each ended, in milliseconds from its creation. */
  readonly endsMs: Float64Array;
  /** Durations of polls, `pollsOfEach` for each conversation. */
  readonly pollsMs: Float64Array;
}

/** Two blocks of conversations. */
export interface ConversationPair {
  readonly base: ConversationBlock;
  readonly head: ConversationBlock;
}

/** Typical times of an answer and of a poll, as multiples of the time to a first match. */
const typicalEndFactor = 300;
const typicalPollFactor = 0.2;
/** Timed polls of each conversation. More would not change the result. */
const pollsOfEach = 5;
/** A conversation each second. */
const everyMs = 1000;

const times = (latencies: Float64Array, factor: number): Float64Array => latencies.map((latency) => latency * factor);

/** Pairs of blocks of conversations; each block has its own slowdown. */
export const simulateConversations = (
  { pairs, requestsPerBlock }: ComparisonDesign,
  random: SeededRandom,
): readonly ConversationPair[] => {
  const costs = queryCosts(alikeQueries, random);
  const slots = weather(2 * pairs, random);
  const block = (slot: number): ConversationBlock => {
    const of = (requests: number): Float64Array =>
      slotLatencies(requests, slots[slot] ?? 0, { model: alikeQueries, costs, random });
    return {
      endsMs: times(of(requestsPerBlock), typicalEndFactor),
      pollsMs: times(of(requestsPerBlock * pollsOfEach), typicalPollFactor),
    };
  };
  return Array.from({ length: pairs }, (_, pair) => {
    const baseSecond = pair % 2;
    return { base: block(2 * pair + baseSecond), head: block(2 * pair + 1 - baseSecond) };
  });
};

/** The last poll that shows a conversation in progress, and the first that shows its end. */
const pollsAround = (endMs: number, pollEveryMs: number) => {
  const latest = Math.ceil(endMs / pollEveryMs) * pollEveryMs;
  return { earliest: latest - pollEveryMs, latest };
};

const figuresOf = ({ endsMs, pollsMs }: ConversationBlock, pollEveryMs: number): BlockFigures => {
  const seen = Array.from(endsMs, (endMs) => pollsAround(endMs, pollEveryMs));
  const noTimes = exactTimes(new Float64Array());
  return {
    firstMatch: noTimes,
    firstMatchByQuery: [],
    terminal: toTimeBounds(
      seen.map(({ earliest, latest }) => ({ earliestMs: Math.max(0.001, earliest), latestMs: latest })),
    ),
    poll: exactTimes(pollsMs.slice()),
    served: endsMs.length,
    notBegun: 0,
    plannedMs: endsMs.length * everyMs,
    backlogMs: estimateBacklog(
      seen.map(({ latest }, index) => ({ planMs: everyMs * index, endMs: everyMs * index + latest })),
    ),
  };
};

/** The head, slower by a factor. */
export const slowerHead = (pairs: readonly ConversationPair[], factor: number): readonly ConversationPair[] =>
  pairs.map(({ base, head }) => ({
    base,
    head: { endsMs: times(head.endsMs, factor), pollsMs: times(head.pollsMs, factor) },
  }));

/** The shortcut: the result of `groupIntoPairs`, without making the samples. */
export const conversationPairs = (pairs: readonly ConversationPair[], pollEveryMs: number): readonly MeasuredPair[] =>
  pairs.map(({ base, head }) => ({ base: figuresOf(base, pollEveryMs), head: figuresOf(head, pollEveryMs) }));

/** The plan of such a run. */
export const conversationPlan = (design: ComparisonDesign): LoadPlan => ({
  ...simulatedPlan(design),
  scenario: "conversation-poll",
  ratePerSecond: 1000 / everyMs,
});

type SampleOfBlock = Pick<LoadSample, "flow" | "phase" | "side" | "pair">;

function* blockSamples(
  at: SampleOfBlock,
  { endsMs, pollsMs }: ConversationBlock,
  pollEveryMs: number,
): Generator<LoadSample> {
  for (const [request, endMs] of endsMs.entries()) {
    const planMs = everyMs * request;
    const { earliest, latest } = pollsAround(endMs, pollEveryMs);
    const common = { ...at, query: "q", planMs, sendMs: planMs, outcome: "ok" } as const;
    yield { kind: "conversation", ...common, lastOpenMs: planMs + earliest, endMs: planMs + latest, polls: 1 };
    for (const pollMs of pollsMs.subarray(request * pollsOfEach, (request + 1) * pollsOfEach)) {
      yield { kind: "call", operation: "poll", ...common, endMs: planMs + pollMs };
    }
  }
}

/** The long way: samples as a run stores them. */
export function* conversationSamples(
  pairs: readonly ConversationPair[],
  { warmupPairs }: ComparisonDesign,
  pollEveryMs: number,
): Generator<LoadSample> {
  for (const [index, { base, head }] of pairs.entries()) {
    const at = { flow: "conversation", phase: "measure", pair: warmupPairs + index } as const;
    yield* blockSamples({ ...at, side: "base" }, base, pollEveryMs);
    yield* blockSamples({ ...at, side: "head" }, head, pollEveryMs);
  }
}

/** One simulated comparison; it is repeated many times. */
export interface ConversationSimulation {
  readonly preset: ComparisonPreset;
  readonly trials: number;
  readonly seed: number;
  readonly changes: readonly number[];
  readonly pollEveryMs: number;
}

/** Compares simulated conversations many times, and counts the verdicts for every true change. */
export const simulateConversationsMany = ({
  preset,
  trials,
  seed,
  changes,
  pollEveryMs,
}: ConversationSimulation): SimulatedPreset => {
  const random = seededRandom(seed);
  const judged = Array.from({ length: trials }, () => {
    const pairs = simulateConversations(presets[preset], random);
    return changes.map((change) =>
      judgeAsIs(conversationPairs(slowerHead(pairs, 1 + change), pollEveryMs), preset, "conversation"),
    );
  });
  const trialsOf = (column: number): readonly Trial[] => judged.flatMap((trial) => trial[column] ?? []);
  return {
    preset,
    trials,
    columns: changes.map((change, index) => columnOf(change, 0, trialsOf(index))),
    halfWidths: halfWidthsOf(trialsOf(0)),
  };
};
