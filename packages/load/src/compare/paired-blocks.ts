import type { ConversationSample, LoadArm, LoadPlan, LoadSample, StreamSample } from "@assay/results";
import { ascending, backlogOf, type BlockFigures, exactTimes, type ServedArrival } from "./block-figures.ts";

/** Two blocks that both asked for everything planned, one of each arm. */
export interface MeasuredPair {
  readonly base: BlockFigures;
  readonly head: BlockFigures;
}

/** Of the requests sent in one block, or in several. */
export interface FailureCount {
  readonly failed: number;
  readonly total: number;
}

/** What is planned and arrives. */
export type WorkKind = "stream" | "conversation";

/** What the samples of a paired run come to. */
export interface PairedBlocks {
  /** What was recorded after the warm-up pairs. */
  readonly kinds: ReadonlySet<WorkKind>;
  readonly queries: readonly string[];
  /** By index of the pair, warm-up left out. */
  readonly pairs: readonly MeasuredPair[];
  /** Failures of all measured pairs, complete or not. */
  readonly failures: readonly { readonly base: FailureCount; readonly head: FailureCount }[];
}

interface Block {
  lines: number;
  unsent: number;
  sent: number;
  failed: number;
  readonly latencies: Map<string, number[]>;
  /** Streams that ended well without a match, by query. */
  readonly matchless: Map<string, number>;
  readonly terminalEarliest: number[];
  readonly terminalLatest: number[];
  readonly polls: number[];
  readonly served: ServedArrival[];
}

const newBlock = (): Block => ({
  lines: 0,
  unsent: 0,
  sent: 0,
  failed: 0,
  latencies: new Map(),
  matchless: new Map(),
  terminalEarliest: [],
  terminalLatest: [],
  polls: [],
  served: [],
});

/** The run ended first, or the harness held back: nothing can be said of the target. */
const unsentOutcomes: ReadonlySet<string> = new Set(["canceled", "held-back", "not-begun", "over-budget"]);

/** Clocks of the two ends of a time are one, so only damaged files have less. */
const smallestMs = 0.001;

const addLatency = (block: Block, query: string, latencyMs: number): void => {
  const known = block.latencies.get(query);
  if (known) {
    known.push(latencyMs);
  } else {
    block.latencies.set(query, [latencyMs]);
  }
};

const addStream = (block: Block, sample: StreamSample): void => {
  const latencyMs = (sample.firstMatchMs ?? Number.NaN) - sample.planMs;
  if (Number.isFinite(latencyMs)) {
    addLatency(block, sample.query, Math.max(smallestMs, latencyMs));
  } else {
    block.matchless.set(sample.query, (block.matchless.get(sample.query) ?? 0) + 1);
  }
};

/** It ended after the last poll that saw it at work was sent, and before the answer that showed its end. */
const addConversation = (block: Block, { planMs, sendMs, lastOpenMs, endMs }: ConversationSample): void => {
  block.terminalEarliest.push(Math.max(smallestMs, (lastOpenMs ?? sendMs) - planMs));
  block.terminalLatest.push(Math.max(smallestMs, endMs - planMs));
};

const addArrival = (block: Block, sample: StreamSample | ConversationSample): void => {
  block.lines += 1;
  if (unsentOutcomes.has(sample.outcome)) {
    block.unsent += 1;
    return;
  }
  block.sent += 1;
  if (sample.outcome !== "ok") {
    block.failed += 1;
    return;
  }
  block.served.push({ planMs: sample.planMs, endMs: sample.endMs });
  if (sample.kind === "stream") {
    addStream(block, sample);
  } else {
    addConversation(block, sample);
  }
};

const addSample = (block: Block, sample: LoadSample): void => {
  if (sample.kind !== "call") {
    addArrival(block, sample);
  } else if (sample.operation === "poll" && sample.outcome === "ok") {
    block.polls.push(Math.max(smallestMs, sample.endMs - sample.planMs));
  }
};

type ArmBlocks = Record<LoadArm, Block>;

interface Collected {
  readonly kinds: Set<WorkKind>;
  readonly pairs: Map<number, ArmBlocks>;
}

const collect = (samples: Iterable<LoadSample>, warmupPairs: number): Collected => {
  const collected: Collected = { kinds: new Set(), pairs: new Map() };
  for (const sample of samples) {
    const { pair } = sample;
    if (sample.phase !== "measure" || pair === undefined || pair < warmupPairs) {
      continue;
    }
    const blocks = collected.pairs.get(pair) ?? { a: newBlock(), b: newBlock() };
    collected.pairs.set(pair, blocks);
    addSample(blocks[sample.arm], sample);
    if (sample.kind !== "call") {
      collected.kinds.add(sample.kind);
    }
  }
  return collected;
};

const figuresOf = (block: Block, queries: readonly string[], plannedMs: number): BlockFigures => ({
  firstMatch: exactTimes(Float64Array.from([...block.latencies.values()].flat())),
  byQuery: queries.map((query) => exactTimes(Float64Array.from(block.latencies.get(query) ?? []))),
  terminal: { earliest: ascending(block.terminalEarliest), latest: ascending(block.terminalLatest) },
  poll: exactTimes(Float64Array.from(block.polls)),
  served: block.served.length,
  plannedMs,
  backlogMs: backlogOf(block.served),
});

/** A query that has matches elsewhere in the run failed where it ended without one. */
const failuresOf = (block: Block, queries: ReadonlySet<string>): FailureCount => {
  const lost = [...block.matchless].reduce((sum, [query, count]) => sum + (queries.has(query) ? count : 0), 0);
  return { failed: block.failed + lost, total: block.sent };
};

/**
 * Sorts the samples of a run by pair and arm, streams by query as well. Left out: warm-up pairs. A pair counts only when both of
 * its blocks sent all that was planned, so one with held-back or canceled requests does not. Only what ended as it should has
 * times, counted from the planned sending.
 */
export const pairedBlocks = (samples: Iterable<LoadSample>, plan: LoadPlan): PairedBlocks => {
  const { warmupPairs, requestsPerBlock } = plan.blocks ?? { warmupPairs: 0, requestsPerBlock: 1 };
  const { kinds, pairs } = collect(samples, warmupPairs);
  const collected = [...pairs].toSorted(([one], [other]) => one - other).map(([, blocks]) => blocks);
  const withMatches = new Set(collected.flatMap(({ a, b }) => [...a.latencies.keys(), ...b.latencies.keys()]));
  const queries = [...withMatches].toSorted();
  const plannedMs = (requestsPerBlock * 1000) / plan.ratePerSecond;
  const complete = collected.filter(({ a, b }) =>
    [a, b].every(({ lines, unsent }) => lines >= requestsPerBlock && unsent === 0),
  );
  return {
    kinds,
    queries,
    pairs: complete.map(({ a, b }) => ({
      base: figuresOf(a, queries, plannedMs),
      head: figuresOf(b, queries, plannedMs),
    })),
    failures: collected.map(({ a, b }) => ({ base: failuresOf(a, withMatches), head: failuresOf(b, withMatches) })),
  };
};
