import { defined, observedFilterKinds } from "@assay/contract";
import type { Vocabulary } from "../conversation/api/timestamp.ts";
import { firstItems, itemCount } from "../search/search-result.ts";
import type { SearchResult } from "../search/search-result.ts";
import type { SearchEvent } from "./search-event.ts";
import { displayHit, limitHit, timedOut } from "./skipped-entries.ts";
import type { SkippedEntry } from "./skipped-entries.ts";
import type { ContextLines } from "../ripgrep/context-lines.ts";
import { estimatedBytes, wireMatch } from "./wire-match.ts";
import type { WireOptions } from "./wire-match.ts";
import { createFilterTally } from "./filter-tally.ts";

/** Tells about filters, but only when there is something new to tell. */
interface FilterReports {
  readonly add: (result: SearchResult) => void;
  /** A `filters` event when the list differs from the last one told; never an empty list. */
  readonly changed: (exhaustive: boolean) => readonly SearchEvent[];
}

/** Reports for one search; kinds not wanted are never listed. */
const createFilterReports = (wantsKind: (kind: string) => boolean): FilterReports => {
  const tally = createFilterTally(wantsKind);
  let lastSent = "[]";
  return {
    add: tally.add,
    changed: (exhaustive) => {
      const list = tally.list(exhaustive);
      const text = JSON.stringify(list);
      const changed = text !== lastSent;
      lastSent = text;
      return changed ? [{ name: "filters", data: list }] : [];
    },
  };
};

interface DeliveryOptions extends WireOptions {
  /** Number of results that are delivered; absent means all. */
  readonly display?: number | undefined;
  /** Lines around matches, which stay when a result is cut. */
  readonly context: ContextLines;
}

/** Matches on their way to the client. */
interface Delivery {
  /** Puts a result into the queue, or as much of it as `display` still allows. */
  readonly add: (result: SearchResult) => void;
  /** About how many bytes of matches wait. */
  readonly waitingBytes: () => number;
  /** Empties the queue. */
  readonly takeWaiting: () => readonly object[];
}

/** An empty queue for one search. */
const createDelivery = (options: DeliveryOptions): Delivery => {
  const { context, display } = options;
  let waiting: object[] = [];
  let waitingBytes = 0;
  let delivered = 0;
  return {
    add: (result) => {
      const shown = display === undefined ? result : firstItems(result, display - delivered, context.after);
      if (shown !== undefined) {
        delivered += itemCount(shown);
        waiting.push(wireMatch(shown, options));
        waitingBytes += estimatedBytes(shown);
      }
    },
    waitingBytes: () => waitingBytes,
    takeWaiting: () => {
      const taken = waiting;
      waiting = [];
      waitingBytes = 0;
      return taken;
    },
  };
};

export interface CollectorOptions extends DeliveryOptions {
  /** Number of results after which the search stops. */
  readonly limit: number;
  /** `observed` keeps to the kinds and reasons that the document lists. */
  readonly vocabulary: Vocabulary;
  /** Address of the trace, told in every progress. */
  readonly traceUrl?: string;
  /** Milliseconds since the request came. */
  readonly elapsedMs: () => number;
}

/** Adds up the results of one search and writes the events that tell about them. */
export interface ResultCollector {
  /** Takes a result in; false when the limit was reached before all of it could be taken. */
  add(result: SearchResult): boolean;
  /** About how many bytes of matches wait to be sent. */
  waitingBytes(): number;
  matchCount(): number;
  /** Events about what changed since the last flush: filters, matches, progress; none when nothing changed. */
  flush(): readonly SearchEvent[];
  /** A progress that is not final, whether or not anything changed. */
  ping(): SearchEvent;
  /** The last events about results; `unfinished` names the repositories that time cut short. */
  finals(unfinished: readonly string[]): readonly SearchEvent[];
}

const observedKinds: ReadonlySet<string> = new Set(observedFilterKinds);

/** What a progress tells about. */
interface Standing {
  readonly done: boolean;
  readonly counted: number;
  readonly repositories: number;
  readonly limitWasHit: boolean;
  readonly unfinished: readonly string[];
}

/** Why results may be incomplete, in the fixed order of the service. */
const skippedEntries = (
  { display, limit, vocabulary }: CollectorOptions,
  { counted, limitWasHit, unfinished }: Standing,
): readonly SkippedEntry[] => [
  ...(limitWasHit ? [limitHit(limit)] : []),
  ...(unfinished.length > 0 ? [timedOut(unfinished)] : []),
  ...(display !== undefined && display < counted && vocabulary === "field" ? [displayHit(display)] : []),
];

const progressEvent = (options: CollectorOptions, standing: Standing): SearchEvent => ({
  name: "progress",
  data: {
    done: standing.done,
    ...(standing.done && (standing.repositories > 0 || options.vocabulary !== "field")
      ? { repositoriesCount: standing.repositories }
      : {}),
    matchCount: standing.counted,
    durationMs: options.elapsedMs(),
    skipped: skippedEntries(options, standing),
    ...defined({ trace: options.traceUrl }),
  },
});

/** A collector for one search. After `finals` it is used up. */
export const createResultCollector = (options: CollectorOptions): ResultCollector => {
  const { context, limit, vocabulary } = options;
  const filters = createFilterReports((kind) => vocabulary === "field" || observedKinds.has(kind));
  const repositories = new Set<number>();
  const delivery = createDelivery(options);
  let counted = 0;
  let isFull = false;
  let limitWasHit = false;
  let sentCount = 0;

  const progress = (done: boolean, unfinished: readonly string[] = []): SearchEvent =>
    progressEvent(options, { done, counted, repositories: repositories.size, limitWasHit, unfinished });
  const waitingMatches = (): readonly SearchEvent[] => {
    const matches = delivery.takeWaiting();
    return matches.length > 0 ? [{ name: "matches", data: matches }] : [];
  };
  const changedProgress = (): readonly SearchEvent[] => {
    const changed = counted !== sentCount;
    sentCount = counted;
    return changed ? [progress(false)] : [];
  };

  return {
    add: (result) => {
      const taken = firstItems(result, limit - counted, context.after);
      isFull ||= taken === undefined || itemCount(taken) < itemCount(result);
      limitWasHit ||= isFull || ("isCut" in result && result.isCut);
      if (taken !== undefined) {
        counted += itemCount(taken);
        repositories.add(taken.repository.id);
        filters.add(taken);
        delivery.add(taken);
      }
      return !isFull;
    },
    waitingBytes: delivery.waitingBytes,
    matchCount: () => counted,
    flush: () => [...filters.changed(false), ...waitingMatches(), ...changedProgress()],
    ping: () => progress(false),
    finals: (unfinished) => [
      ...filters.changed(!limitWasHit && unfinished.length === 0),
      ...waitingMatches(),
      progress(true, unfinished),
    ],
  };
};
