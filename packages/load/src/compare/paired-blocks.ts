import type { LoadSide } from "@assay/contract";
import type { ConversationSample, LoadPlan, LoadSample, StreamSample } from "@assay/results";
import { endOfSamples, isCensoredOutcome, isNotAdmitted, outcomeForTimes } from "../result/sample-latencies.ts";
import { backlogOf, type BlockFigures, boundsOf, type ServedArrival, type WatchedTime } from "./block-figures.ts";

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

const since = ({ planMs }: LoadSample, atMs: number): number => Math.max(minMs, atMs - planMs);

const seenAt = (sample: LoadSample, atMs: number): WatchedTime => {
  const ms = since(sample, atMs);
  return { earliestMs: ms, latestMs: ms };
};

const notSeenUntil = (sample: LoadSample, untilMs: number): WatchedTime => ({
  earliestMs: since(sample, untilMs),
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

const isKnown = (atMs: number | undefined): atMs is number => atMs !== undefined && Number.isFinite(atMs);

const addStream = (block: Block, sample: StreamSample, runEndMs: number): void => {
  const { query, firstMatchMs, endMs } = sample;
  const outcome = outcomeForTimes(sample);
  const isCensored = isCensoredOutcome(outcome);
  const hasTimes = outcome === "ok" || outcome === "violation" || isCensored;
  if (hasTimes && isKnown(firstMatchMs)) {
    addTo(block.byQuery, query, seenAt(sample, firstMatchMs));
  } else if (isCensored) {
    addTo(block.byQuery, query, notSeenUntil(sample, watchedUntil(sample, runEndMs)));
  } else if (outcome === "ok") {
    addTo(block.matchless, query, since(sample, endMs));
  }
};

/**
 * A conversation ended after the last poll that saw it in progress was sent, and before the response that showed its
 * end, if there was one.
 */
const addConversation = (block: Block, sample: ConversationSample, runEndMs: number): void => {
  const { outcome, sendMs, lastOpenMs = sendMs, endMs } = sample;
  if (outcome === "ok") {
    block.terminal.push({ earliestMs: since(sample, lastOpenMs), latestMs: since(sample, endMs) });
  } else if (isCensoredOutcome(outcome)) {
    block.terminal.push(notSeenUntil(sample, isNotAdmitted(outcome) ? runEndMs : lastOpenMs));
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
    block.polls.push(seenAt(sample, sample.endMs));
  } else if (sample.operation === "poll" && isCensoredOutcome(sample.outcome)) {
    block.polls.push(notSeenUntil(sample, watchedUntil(sample, runEndMs)));
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
const timesOf = (block: Block, query: string): readonly WatchedTime[] => [
  ...(block.byQuery.get(query) ?? []),
  ...(block.matchless.get(query) ?? []).map((ms) => ({ earliestMs: ms, latestMs: Number.POSITIVE_INFINITY })),
];

const figuresOf = (block: Block, queries: readonly string[], plannedMs: number): BlockFigures => {
  const byQuery = queries.map((query) => timesOf(block, query));
  return {
    firstMatch: boundsOf(byQuery.flat()),
    byQuery: byQuery.map(boundsOf),
    terminal: boundsOf(block.terminal),
    poll: boundsOf(block.polls),
    served: block.served.length,
    notBegun: block.notBegun,
    plannedMs,
    backlogMs: backlogOf(block.served),
  };
};

/** A stream without a match failed if its query has matches elsewhere in the run. */
const failuresOf = (block: Block, queries: ReadonlySet<string>): FailureCount => {
  const lost = [...block.matchless].reduce((sum, [query, { length }]) => sum + (queries.has(query) ? length : 0), 0);
  return { failed: block.failed + lost, total: block.asked };
};

/** Queries with a match in some stream. */
const matchedIn = ({ byQuery }: Block): readonly string[] =>
  [...byQuery].flatMap(([query, times]) => (times.some(({ latestMs }) => Number.isFinite(latestMs)) ? [query] : []));

/**
 * Groups the samples of a run by pair, side and query. Warm-up pairs and queries without any match are left out. A pair
 * counts only if both blocks are complete, so canceled requests exclude it. Times count from the planned sending.
 * Requests that were cut off or could not begin are censored. Failed responses have no time.
 */
export const pairedBlocks = (samples: Iterable<LoadSample>, plan: LoadPlan): PairedBlocks => {
  const { warmupPairs, requestsPerBlock } = plan.blocks ?? { warmupPairs: 0, requestsPerBlock: 1 };
  const { kinds, pairs } = collect([...samples], warmupPairs);
  const collected = [...pairs].toSorted(([one], [other]) => one - other).map(([, blocks]) => blocks);
  const withMatches = new Set(collected.flatMap(({ base, head }) => [...matchedIn(base), ...matchedIn(head)]));
  const queries = [...withMatches].toSorted();
  const plannedMs = (requestsPerBlock * 1000) / plan.ratePerSecond;
  const complete = collected.filter(({ base, head }) =>
    [base, head].every(({ lines, missing }) => lines >= requestsPerBlock && missing === 0),
  );
  return {
    kinds,
    queries,
    pairs: complete.map(({ base, head }) => ({
      base: figuresOf(base, queries, plannedMs),
      head: figuresOf(head, queries, plannedMs),
    })),
    failures: collected.map(({ base, head }) => ({
      base: failuresOf(base, withMatches),
      head: failuresOf(head, withMatches),
    })),
  };
};
