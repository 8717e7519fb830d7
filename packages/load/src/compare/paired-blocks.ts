import type { LoadSide } from "@assay/contract";
import type { ConversationSample, LoadPlan, LoadSample, StreamSample } from "@assay/results";
import { endOfSamples, isCensoredOutcome, isNotAdmitted, outcomeForTimes } from "../result/sample-latencies.ts";
import {
  estimateBacklog,
  type BlockFigures,
  toTimeBounds,
  type ServedArrival,
  type WatchedTime,
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
  lines: number;
  /** Arrivals that the end of the run or the budget left out, so that the block is incomplete. */
  missing: number;
  notBegun: number;
  asked: number;
  /** Includes arrivals that could not begin. */
  failed: number;
  readonly byQuery: Map<string, WatchedTime[]>;
  /** Successful streams without a match by query, with the time for which they were watched. */
  readonly matchless: Map<string, number[]>;
  readonly terminal: WatchedTime[];
  readonly polls: WatchedTime[];
  readonly served: ServedArrival[];
}

const newBlock = (): Block => ({
  lines: 0,
  missing: 0,
  notBegun: 0,
  asked: 0,
  failed: 0,
  byQuery: new Map(),
  matchless: new Map(),
  terminal: [],
  polls: [],
  served: [],
});

/** The run or its budget ended first, which shows nothing about the target. */
const missingOutcomes: ReadonlySet<string> = new Set(["canceled", "over-budget"]);

/** Both ends of a time come from one clock, so only damaged files have less. */
const minMs = 0.001;

const msSincePlanned = ({ planMs }: LoadSample, atMs: number): number => Math.max(minMs, atMs - planMs);

const exactTime = (sample: LoadSample, atMs: number): WatchedTime => {
  const ms = msSincePlanned(sample, atMs);
  return { earliestMs: ms, latestMs: ms };
};

const censoredTime = (sample: LoadSample, untilMs: number): WatchedTime => ({
  earliestMs: msSincePlanned(sample, untilMs),
  latestMs: Number.POSITIVE_INFINITY,
});

const addTo = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const known = lists.get(key);
  if (known) {
    known.push(value);
  } else {
    lists.set(key, [value]);
  }
};

/** The time until which a sample was watched; the end of the run if it could not begin. */
const watchedUntil = ({ outcome, endMs }: LoadSample, runEndMs: number): number =>
  isNotAdmitted(outcome) ? runEndMs : endMs;

const isFiniteTime = (atMs: number | undefined): atMs is number => atMs !== undefined && Number.isFinite(atMs);

const addStream = (block: Block, sample: StreamSample, runEndMs: number): void => {
  const { query, firstMatchMs, endMs } = sample;
  const outcome = outcomeForTimes(sample);
  const isCensored = isCensoredOutcome(outcome);
  const hasTimes = outcome === "ok" || outcome === "violation" || isCensored;
  if (hasTimes && isFiniteTime(firstMatchMs)) {
    addTo(block.byQuery, query, exactTime(sample, firstMatchMs));
  } else if (isCensored) {
    addTo(block.byQuery, query, censoredTime(sample, watchedUntil(sample, runEndMs)));
  } else if (outcome === "ok") {
    addTo(block.matchless, query, msSincePlanned(sample, endMs));
  }
};

/**
 * A conversation ended after the last poll that saw it in progress was sent, and before the response that showed its
 * end, if there was one.
 */
const addConversation = (block: Block, sample: ConversationSample, runEndMs: number): void => {
  const { outcome, sendMs, lastOpenMs = sendMs, endMs } = sample;
  if (outcome === "ok") {
    block.terminal.push({ earliestMs: msSincePlanned(sample, lastOpenMs), latestMs: msSincePlanned(sample, endMs) });
  } else if (isCensoredOutcome(outcome)) {
    block.terminal.push(censoredTime(sample, isNotAdmitted(outcome) ? runEndMs : lastOpenMs));
  }
};

const addArrival = (block: Block, sample: StreamSample | ConversationSample, runEndMs: number): void => {
  block.lines += 1;
  if (missingOutcomes.has(sample.outcome)) {
    block.missing += 1;
    return;
  }
  block.notBegun += isNotAdmitted(sample.outcome) ? 1 : 0;
  block.asked += 1;
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
    block.polls.push(exactTime(sample, sample.endMs));
  } else if (sample.operation === "poll" && isCensoredOutcome(sample.outcome)) {
    block.polls.push(censoredTime(sample, watchedUntil(sample, runEndMs)));
  }
};

type SideBlocks = Record<LoadSide, Block>;

interface Collected {
  readonly kinds: Set<WorkKind>;
  readonly pairs: Map<number, SideBlocks>;
}

const collect = (samples: readonly LoadSample[], warmupPairs: number): Collected => {
  const runEndMs = endOfSamples(samples);
  const collected: Collected = { kinds: new Set(), pairs: new Map() };
  for (const sample of samples) {
    const { pair } = sample;
    if (sample.phase !== "measure" || pair === undefined || pair < warmupPairs) {
      continue;
    }
    const blocks = collected.pairs.get(pair) ?? { base: newBlock(), head: newBlock() };
    collected.pairs.set(pair, blocks);
    addSample(blocks[sample.side], sample, runEndMs);
    if (sample.kind !== "call") {
      collected.kinds.add(sample.kind);
    }
  }
  return collected;
};

/** Times of a query. A stream without a match, although the query has matches elsewhere in the run, counts as not seen. */
const queryTimes = (block: Block, query: string): readonly WatchedTime[] => [
  ...(block.byQuery.get(query) ?? []),
  ...(block.matchless.get(query) ?? []).map((ms) => ({ earliestMs: ms, latestMs: Number.POSITIVE_INFINITY })),
];

const buildFigures = (block: Block, queries: readonly string[], plannedMs: number): BlockFigures => {
  const byQuery = queries.map((query) => queryTimes(block, query));
  return {
    firstMatch: toTimeBounds(byQuery.flat()),
    byQuery: byQuery.map(toTimeBounds),
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
  const lost = [...block.matchless].reduce((sum, [query, { length }]) => sum + (queries.has(query) ? length : 0), 0);
  return { failed: block.failed + lost, total: block.asked };
};

/** Queries with a match in some stream. */
const matchedQueries = ({ byQuery }: Block): readonly string[] =>
  [...byQuery].flatMap(([query, times]) => (times.some(({ latestMs }) => Number.isFinite(latestMs)) ? [query] : []));

/**
 * Groups the samples of a run by pair, side and query. Warm-up pairs and queries without any match are left out. A pair
 * counts only if both blocks are complete, so canceled requests exclude it. Times count from the planned sending.
 * Requests that were cut off or could not begin are censored. Failed responses have no time.
 */
export const groupIntoPairs = (samples: Iterable<LoadSample>, plan: LoadPlan): PairedBlocks => {
  const { warmupPairs, requestsPerBlock } = plan.blocks ?? { warmupPairs: 0, requestsPerBlock: 1 };
  const { kinds, pairs } = collect([...samples], warmupPairs);
  const collected = [...pairs].toSorted(([one], [other]) => one - other).map(([, blocks]) => blocks);
  const withMatches = new Set(
    collected.flatMap(({ base, head }) => [...matchedQueries(base), ...matchedQueries(head)]),
  );
  const queries = [...withMatches].toSorted();
  const plannedMs = (requestsPerBlock * 1000) / plan.ratePerSecond;
  const complete = collected.filter(({ base, head }) =>
    [base, head].every(({ lines, missing }) => lines >= requestsPerBlock && missing === 0),
  );
  return {
    kinds,
    queries,
    pairs: complete.map(({ base, head }) => ({
      base: buildFigures(base, queries, plannedMs),
      head: buildFigures(head, queries, plannedMs),
    })),
    failures: collected.map(({ base, head }) => ({
      base: countFailures(base, withMatches),
      head: countFailures(head, withMatches),
    })),
  };
};
