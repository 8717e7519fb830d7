import type { LoadArm, LoadPlan, LoadSample, StreamSample } from "@assay/results";

/** Times from planned sending to first match in one block, in milliseconds; all ascending. */
export interface BlockLatencies {
  readonly all: Float64Array;
  /** By index of the query, in the order of `PairedBlocks.queries`. */
  readonly byQuery: readonly Float64Array[];
}

/** Two blocks that both asked for everything planned, one of each arm. */
export interface MeasuredPair {
  readonly base: BlockLatencies;
  readonly head: BlockLatencies;
}

/** Of the requests sent in one block, or in several. */
export interface FailureCount {
  readonly failed: number;
  readonly total: number;
}

/** What the samples of a paired run come to. */
export interface PairedBlocks {
  readonly queries: readonly string[];
  /** By index of the pair, warm-up left out. */
  readonly pairs: readonly MeasuredPair[];
  /** Failures of all measured pairs, complete or not. */
  readonly failures: readonly { readonly base: FailureCount; readonly head: FailureCount }[];
  /** Pairs that had begun but were not sent in full. */
  readonly droppedPairs: number;
}

interface Block {
  lines: number;
  unsent: number;
  sent: number;
  failed: number;
  readonly latencies: Map<string, number[]>;
  /** Streams that ended well without a match, by query. */
  readonly matchless: Map<string, number>;
}

const newBlock = (): Block => ({ lines: 0, unsent: 0, sent: 0, failed: 0, latencies: new Map(), matchless: new Map() });

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

const addSample = (block: Block, sample: StreamSample): void => {
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
  const latencyMs = (sample.firstMatchMs ?? Number.NaN) - sample.planMs;
  if (Number.isFinite(latencyMs)) {
    addLatency(block, sample.query, Math.max(smallestMs, latencyMs));
  } else {
    block.matchless.set(sample.query, (block.matchless.get(sample.query) ?? 0) + 1);
  }
};

type ArmBlocks = Record<LoadArm, Block>;

const collect = (samples: Iterable<LoadSample>, warmupPairs: number): ReadonlyMap<number, ArmBlocks> => {
  const pairs = new Map<number, ArmBlocks>();
  for (const sample of samples) {
    const { pair } = sample;
    if (sample.kind !== "stream" || sample.phase !== "measure" || pair === undefined || pair < warmupPairs) {
      continue;
    }
    const blocks = pairs.get(pair) ?? { a: newBlock(), b: newBlock() };
    pairs.set(pair, blocks);
    addSample(blocks[sample.arm], sample);
  }
  return pairs;
};

const latenciesOf = (block: Block, queries: readonly string[]): BlockLatencies => ({
  all: Float64Array.from([...block.latencies.values()].flat()).sort(),
  byQuery: queries.map((query) => Float64Array.from(block.latencies.get(query) ?? []).sort()),
});

/** A query that has matches elsewhere in the run failed where it ended without one. */
const failuresOf = (block: Block, queries: ReadonlySet<string>): FailureCount => {
  const lost = [...block.matchless].reduce((sum, [query, count]) => sum + (queries.has(query) ? count : 0), 0);
  return { failed: block.failed + lost, total: block.sent };
};

/**
 * Sorts the streams of a run by pair, arm and query. Left out: warm-up pairs, calls and conversations. A pair counts only when
 * both of its blocks sent all that was planned, so one with held-back or canceled requests does not. Only streams that ended as
 * they should have a latency, counted from the planned sending.
 */
export const pairedBlocks = (samples: Iterable<LoadSample>, plan: LoadPlan): PairedBlocks => {
  const { warmupPairs, requestsPerBlock } = plan.blocks ?? { warmupPairs: 0, requestsPerBlock: 1 };
  const collected = [...collect(samples, warmupPairs)]
    .toSorted(([one], [other]) => one - other)
    .map(([, blocks]) => blocks);
  const withMatches = new Set(collected.flatMap(({ a, b }) => [...a.latencies.keys(), ...b.latencies.keys()]));
  const queries = [...withMatches].toSorted();
  const complete = collected.filter(({ a, b }) =>
    [a, b].every(({ lines, unsent }) => lines >= requestsPerBlock && unsent === 0),
  );
  return {
    queries,
    pairs: complete.map(({ a, b }) => ({ base: latenciesOf(a, queries), head: latenciesOf(b, queries) })),
    failures: collected.map(({ a, b }) => ({ base: failuresOf(a, withMatches), head: failuresOf(b, withMatches) })),
    droppedPairs: collected.length - complete.length,
  };
};
