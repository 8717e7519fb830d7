import { defined, observedFilterKinds } from "@assay/contract";
import type { Vocabulary } from "../conversation/api/timestamp.ts";
import { takeItems, itemCount } from "../search/search-result.ts";
import type { SearchResult } from "../search/search-result.ts";
import type { SearchEvent } from "./search-event.ts";
import { createDisplayEntry, createLimitEntry, createTimeoutEntry } from "./skipped-entries.ts";
import type { SkippedEntry } from "./skipped-entries.ts";
import type { ContextLines } from "../ripgrep/context-lines.ts";
import { estimateBytes, wireMatch } from "./wire-match.ts";
import type { WireOptions } from "./wire-match.ts";
import { createFilterTally } from "./filter-tally.ts";

/** Reports changes of filters. */
interface FilterReports {
  readonly add: (result: SearchResult) => void;
  /** Returns a `filters` event if the list is not empty and differs from the last reported one. */
  readonly takeChanges: (exhaustive: boolean) => readonly SearchEvent[];
}

/** Reports for one search, without unwanted kinds. */
const createFilterReports = (wantsKind: (kind: string) => boolean): FilterReports => {
  const tally = createFilterTally(wantsKind);
  let lastSent = "[]";
  return {
    add: tally.add,
    takeChanges: (exhaustive) => {
      const list = tally.list(exhaustive);
      const text = JSON.stringify(list);
      const hasChanged = text !== lastSent;
      lastSent = text;
      return hasChanged ? [{ name: "filters", data: list }] : [];
    },
  };
};

interface MatchQueueOptions extends WireOptions {
  /** Maximum number of returned results. Absent for all results. */
  readonly display?: number | undefined;
  /** Context lines, which are kept when a result is cut. */
  readonly context: ContextLines;
}

/** Matches that have not been sent. */
interface MatchQueue {
  /** Adds a result, or the part of it that `display` allows. */
  readonly add: (result: SearchResult) => void;
  /** Estimated bytes in the queue. */
  readonly waitingBytes: () => number;
  /** Empties the queue. */
  readonly drain: () => readonly object[];
}

/** Returns an empty queue for one search. */
const createMatchQueue = (options: MatchQueueOptions): MatchQueue => {
  const { context, display } = options;
  let matches: object[] = [];
  let waitingBytes = 0;
  let shownItems = 0;
  return {
    add: (result) => {
      const shownResult = display === undefined ? result : takeItems(result, display - shownItems, context.after);
      if (shownResult !== undefined) {
        shownItems += itemCount(shownResult);
        matches.push(wireMatch(shownResult, options));
        waitingBytes += estimateBytes(shownResult);
      }
    },
    waitingBytes: () => waitingBytes,
    drain: () => {
      const drainedMatches = matches;
      matches = [];
      waitingBytes = 0;
      return drainedMatches;
    },
  };
};

export interface CollectorOptions extends MatchQueueOptions {
  /** Limit on results. */
  readonly limit: number;
  /** `observed` uses only the kinds and reasons of the specification. */
  readonly vocabulary: Vocabulary;
  /** URL of the trace, for every `progress` event. */
  readonly traceUrl?: string;
  /** Milliseconds since the arrival of the request. */
  readonly elapsedMs: () => number;
}

/** Collects the results of one search and creates its events. */
export interface ResultCollector {
  /** Adds a result. Returns false if it exceeds the limit. */
  add(result: SearchResult): boolean;
  /** Estimated bytes of matches to send. */
  waitingBytes(): number;
  matchCount(): number;
  /** Returns events for changes since the last flush: filters, matches, progress. Empty if nothing changed. */
  flush(): readonly SearchEvent[];
  /** Returns a non-final `progress` event, even if nothing changed. */
  ping(): SearchEvent;
  /** Returns the final events. `unfinishedRepositories` are the repositories that ran out of time. */
  finish(unfinishedRepositories: readonly string[]): readonly SearchEvent[];
}

const observedKinds: ReadonlySet<string> = new Set(observedFilterKinds);

/** Data of a `progress` event. */
interface ProgressState {
  readonly done: boolean;
  readonly matchCount: number;
  readonly repositories: number;
  readonly limitWasHit: boolean;
  readonly unfinishedRepositories: readonly string[];
}

/** Returns the reasons for incomplete results, in the fixed order of the service. */
const skippedEntries = (
  { display, limit, vocabulary }: CollectorOptions,
  { limitWasHit, matchCount, unfinishedRepositories }: ProgressState,
): readonly SkippedEntry[] => [
  ...(limitWasHit ? [createLimitEntry(limit)] : []),
  ...(unfinishedRepositories.length > 0 ? [createTimeoutEntry(unfinishedRepositories)] : []),
  ...(display !== undefined && display < matchCount && vocabulary === "field" ? [createDisplayEntry(display)] : []),
];

const progressEvent = (options: CollectorOptions, state: ProgressState): SearchEvent => ({
  name: "progress",
  data: {
    done: state.done,
    ...(state.done && (state.repositories > 0 || options.vocabulary !== "field")
      ? { repositoriesCount: state.repositories }
      : {}),
    matchCount: state.matchCount,
    durationMs: options.elapsedMs(),
    skipped: skippedEntries(options, state),
    ...defined({ trace: options.traceUrl }),
  },
});

/** Creates a collector for one search. It must not be used after `finish`. */
export const createResultCollector = (options: CollectorOptions): ResultCollector => {
  const { context, limit, vocabulary } = options;
  const filters = createFilterReports((kind) => vocabulary === "field" || observedKinds.has(kind));
  const repositories = new Set<number>();
  const queue = createMatchQueue(options);
  let matchCount = 0;
  let isFull = false;
  let limitWasHit = false;
  let lastSentCount = 0;

  const progress = (done: boolean, unfinishedRepositories: readonly string[] = []): SearchEvent =>
    progressEvent(options, { done, matchCount, repositories: repositories.size, limitWasHit, unfinishedRepositories });
  const waitingMatches = (): readonly SearchEvent[] => {
    const matches = queue.drain();
    return matches.length > 0 ? [{ name: "matches", data: matches }] : [];
  };
  const changedProgress = (): readonly SearchEvent[] => {
    const hasChanged = matchCount !== lastSentCount;
    lastSentCount = matchCount;
    return hasChanged ? [progress(false)] : [];
  };

  return {
    add: (result) => {
      const countedResult = takeItems(result, limit - matchCount, context.after);
      isFull ||= countedResult === undefined || itemCount(countedResult) < itemCount(result);
      limitWasHit ||= isFull || ("isCut" in result && result.isCut);
      if (countedResult !== undefined) {
        matchCount += itemCount(countedResult);
        repositories.add(countedResult.repository.id);
        filters.add(countedResult);
        queue.add(countedResult);
      }
      return !isFull;
    },
    waitingBytes: queue.waitingBytes,
    matchCount: () => matchCount,
    flush: () => [...filters.takeChanges(false), ...waitingMatches(), ...changedProgress()],
    ping: () => progress(false),
    finish: (unfinishedRepositories) => [
      ...filters.takeChanges(!limitWasHit && unfinishedRepositories.length === 0),
      ...waitingMatches(),
      progress(true, unfinishedRepositories),
    ],
  };
};
