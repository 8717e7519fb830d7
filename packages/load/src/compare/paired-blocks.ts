import type { LoadSide } from "@assay/contract";
import type { ConversationSample, LoadPlan, LoadSample, StreamSample } from "@assay/results";
import { findLastEndMs, isCensoredOutcome, isNotAdmitted, outcomeForTimes } from "../result/sample-latencies.ts";
import {
  estimateBacklog,
  type BlockFigures,
  toTimeBounds,
  type ServedArrival,
  type BoundedTime,
} from "./block-figures.ts";

/** Two complete blocks, one of each side. */
export interface MeasuredPair {
  readonly base: BlockFigures;
  readonly head: BlockFigures;
}

/** Failed requests of one or several blocks. Arrivals that could not begin failed. */
export interface FailureCount {
  readonly failed: number;
  readonly total: number;
}

/** Kinds of planned arrivals. */
export type WorkKind = "stream" | "conversation";

/** Results of a paired run. */
export interface PairedBlocks {
  /** Kinds recorded after the warm-up pairs. */
  readonly kinds: ReadonlySet<WorkKind>;
  readonly queries: readonly string[];
  /** In the order of the pairs, without warm-up. */
  readonly pairs: readonly MeasuredPair[];
  /** Failures of all measured pairs, including incomplete ones. */
  readonly failures: readonly { readonly base: FailureCount; readonly head: FailureCount }[];
}

interface Block {
  arrivals: number;
  /** Arrivals with one of `unsentOutcomes`. They make the block incomplete. */
  unsent: number;
  notBegun: number;
  attempted: number;
  /** Includes arrivals that could not begin. */
  failed: number;
  readonly byQuery: Map<string, BoundedTime[]>;
  /** Successful streams without a match, by query. Each value is the time for which the stream was observed. */
  readonly matchless: Map<string, number[]>;
  readonly terminal: BoundedTime[];
  readonly polls: BoundedTime[];
  readonly served: ServedArrival[];
}

const createBlock = (): Block => ({
  arrivals: 0,
  unsent: 0,
  notBegun: 0,
  attempted: 0,
  failed: 0,
  byQuery: new Map(),
  matchless: new Map(),
  terminal: [],
  polls: [],
  served: [],
});

/** Outcomes of requests not sent because the run or its budget ended. They prove nothing about the target. */
export const unsentOutcomes: ReadonlySet<string> = new Set(["canceled", "over-budget"]);

/** Both timestamps come from one clock, so only damaged files contain shorter times. */
const minMs = 0.001;

const computeMsSincePlanned = ({ planMs }: LoadSample, atMs: number): number => Math.max(minMs, atMs - planMs);

const createExactTime = (sample: LoadSample, atMs: number): BoundedTime => {
  const ms = computeMsSincePlanned(sample, atMs);
  return { earliestMs: ms, latestMs: ms };
};

const createCensoredTime = (sample: LoadSample, untilMs: number): BoundedTime => ({
  earliestMs: computeMsSincePlanned(sample, untilMs),
  latestMs: Number.POSITIVE_INFINITY,
});

const addToList = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key);
  if (list) {
    list.push(value);
  } else {
    lists.set(key, [value]);
  }
};

/** Returns the time until which a sample was observed, or the end of the run if it could not begin. */
const findObservedUntilMs = ({ outcome, endMs }: LoadSample, runEndMs: number): number =>
  isNotAdmitted(outcome) ? runEndMs : endMs;

const isFiniteTime = (atMs: number | undefined): atMs is number => atMs !== undefined && Number.isFinite(atMs);

const addStream = (block: Block, sample: StreamSample, runEndMs: number): void => {
  const { query, firstMatchMs, endMs } = sample;
  const outcome = outcomeForTimes(sample);
  const isCensored = isCensoredOutcome(outcome);
  const hasTimes = outcome === "ok" || outcome === "violation" || isCensored;
  if (hasTimes && isFiniteTime(firstMatchMs)) {
    addToList(block.byQuery, query, createExactTime(sample, firstMatchMs));
  } else if (isCensored) {
    addToList(block.byQuery, query, createCensoredTime(sample, findObservedUntilMs(sample, runEndMs)));
  } else if (outcome === "ok") {
    addToList(block.matchless, query, computeMsSincePlanned(sample, endMs));
  }
};

/**
 * A conversation ended after the last poll that saw it in progress was sent, and before the response that showed its
 * end, if there was one.
 */
const addConversation = (block: Block, sample: ConversationSample, runEndMs: number): void => {
  const { outcome, sendMs, lastOpenMs = sendMs, endMs } = sample;
  if (outcome === "ok") {
    block.terminal.push({
      earliestMs: computeMsSincePlanned(sample, lastOpenMs),
      latestMs: computeMsSincePlanned(sample, endMs),
    });
  } else if (isCensoredOutcome(outcome)) {
    block.terminal.push(createCensoredTime(sample, isNotAdmitted(outcome) ? runEndMs : lastOpenMs));
  }
};

const addArrival = (block: Block, sample: StreamSample | ConversationSample, runEndMs: number): void => {
  block.arrivals += 1;
  if (unsentOutcomes.has(sample.outcome)) {
    block.unsent += 1;
    return;
  }
  block.notBegun += isNotAdmitted(sample.outcome) ? 1 : 0;
  block.attempted += 1;
  block.failed += sample.outcome === "ok" ? 0 : 1;
  if (sample.outcome === "ok") {
    block.served.push({ planMs: sample.planMs, endMs: sample.endMs });
  }
  if (sample.kind === "stream") {
    addStream(block, sample, runEndMs);
  } else {
    addConversation(block, sample, runEndMs);
  }
};

const addSample = (block: Block, sample: LoadSample, runEndMs: number): void => {
  if (sample.kind !== "call") {
    addArrival(block, sample, runEndMs);
  } else if (sample.operation === "poll" && sample.outcome === "ok") {
    block.polls.push(createExactTime(sample, sample.endMs));
  } else if (sample.operation === "poll" && isCensoredOutcome(sample.outcome)) {
    block.polls.push(createCensoredTime(sample, findObservedUntilMs(sample, runEndMs)));
  }
};

type SideBlocks = Record<LoadSide, Block>;

interface GroupedSamples {
  readonly kinds: Set<WorkKind>;
  readonly pairs: Map<number, SideBlocks>;
}

const groupSamples = (samples: readonly LoadSample[], warmupPairs: number): GroupedSamples => {
  const runEndMs = findLastEndMs(samples);
  const groups: GroupedSamples = { kinds: new Set(), pairs: new Map() };
  for (const sample of samples) {
    const { pair } = sample;
    if (sample.phase !== "measure" || pair === undefined || pair < warmupPairs) {
      continue;
    }
    const blocks = groups.pairs.get(pair) ?? { base: createBlock(), head: createBlock() };
    groups.pairs.set(pair, blocks);
    addSample(blocks[sample.side], sample, runEndMs);
    if (sample.kind !== "call") {
      groups.kinds.add(sample.kind);
    }
  }
  return groups;
};

/** Returns the times of a query. A stream without a match is censored, because the query has matches elsewhere in the run. */
const listQueryTimes = (block: Block, query: string): readonly BoundedTime[] => [
  ...(block.byQuery.get(query) ?? []),
  ...(block.matchless.get(query) ?? []).map((ms) => ({ earliestMs: ms, latestMs: Number.POSITIVE_INFINITY })),
];

const buildFigures = (block: Block, queries: readonly string[], plannedMs: number): BlockFigures => {
  const byQuery = queries.map((query) => listQueryTimes(block, query));
  return {
    firstMatch: toTimeBounds(byQuery.flat()),
    firstMatchByQuery: byQuery.map(toTimeBounds),
    terminal: toTimeBounds(block.terminal),
    poll: toTimeBounds(block.polls),
    served: block.served.length,
    notBegun: block.notBegun,
    plannedMs,
    backlogMs: estimateBacklog(block.served),
  };
};

/** A stream without a match failed if its query has matches elsewhere in the run. */
const countFailures = (block: Block, queries: ReadonlySet<string>): FailureCount => {
  const matchlessStreams = [...block.matchless].reduce(
    (sum, [query, { length }]) => sum + (queries.has(query) ? length : 0),
    0,
  );
  return { failed: block.failed + matchlessStreams, total: block.attempted };
};

/** Queries with a match in some stream. */
const listMatchedQueries = ({ byQuery }: Block): readonly string[] =>
  [...byQuery].flatMap(([query, times]) => (times.some(({ latestMs }) => Number.isFinite(latestMs)) ? [query] : []));

/**
 * Groups the samples of a run by pair, side and query. Omits warm-up pairs and queries that never match. A pair
 * counts only if both blocks are complete, so canceled requests exclude it. Times count from the planned sending.
 * Requests that were cut off or could not begin are censored. Failed responses have no time.
 */
export const groupIntoPairs = (samples: Iterable<LoadSample>, plan: LoadPlan): PairedBlocks => {
  const { warmupPairs, requestsPerBlock } = plan.blocks ?? { warmupPairs: 0, requestsPerBlock: 1 };
  const { kinds, pairs } = groupSamples([...samples], warmupPairs);
  const pairBlocks = [...pairs].toSorted(([first], [second]) => first - second).map(([, blocks]) => blocks);
  const matchedQueryNames = new Set(
    pairBlocks.flatMap(({ base, head }) => [...listMatchedQueries(base), ...listMatchedQueries(head)]),
  );
  const queries = [...matchedQueryNames].toSorted();
  const plannedMs = (requestsPerBlock * 1000) / plan.ratePerSecond;
  const completePairs = pairBlocks.filter(({ base, head }) =>
    [base, head].every(({ arrivals, unsent }) => arrivals >= requestsPerBlock && unsent === 0),
  );
  return {
    kinds,
    queries,
    pairs: completePairs.map(({ base, head }) => ({
      base: buildFigures(base, queries, plannedMs),
      head: buildFigures(head, queries, plannedMs),
    })),
    failures: pairBlocks.map(({ base, head }) => ({
      base: countFailures(base, matchedQueryNames),
      head: countFailures(head, matchedQueryNames),
    })),
  };
};
