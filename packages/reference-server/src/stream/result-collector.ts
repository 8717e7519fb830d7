import { firstItems, itemCount, type SearchResult } from "../search/search-result.ts";
import { createDelivery, type DeliveryOptions } from "./delivery.ts";
import { createFilterReports } from "./filter-reports.ts";
import type { SearchEvent } from "./search-event.ts";
import { displayHit, limitHit, type SkippedEntry, timedOut } from "./skipped-entries.ts";

export interface CollectorOptions extends DeliveryOptions {
  /** Number of results after which the search stops. */
  readonly limit: number;
  /** `observed` keeps to the kinds and reasons that the document lists. */
  readonly vocabulary: "field" | "observed";
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

interface Incompleteness {
  readonly counted: number;
  readonly limitWasHit: boolean;
  readonly unfinished: readonly string[];
}

/** Why results may be incomplete, in the fixed order of the service. */
const skippedEntries = (
  { display, limit, vocabulary }: CollectorOptions,
  { counted, limitWasHit, unfinished }: Incompleteness,
): readonly SkippedEntry[] => [
  ...(limitWasHit ? [limitHit(limit)] : []),
  ...(unfinished.length > 0 ? [timedOut(unfinished)] : []),
  ...(display !== undefined && display < counted && vocabulary === "field" ? [displayHit(display)] : []),
];

/** A collector for one search. After `finals` it is used up. */
export const createResultCollector = (options: CollectorOptions): ResultCollector => {
  const { elapsedMs, limit, vocabulary } = options;
  const filters = createFilterReports((kind) => vocabulary === "field" || kind !== "file");
  const repositories = new Set<number>();
  const delivery = createDelivery(options);
  let counted = 0;
  let limitWasHit = false;
  let sentCount = 0;

  const progress = (done: boolean, unfinished: readonly string[] = []): SearchEvent => ({
    name: "progress",
    data: {
      done,
      ...(done && repositories.size > 0 ? { repositoriesCount: repositories.size } : {}),
      matchCount: counted,
      durationMs: elapsedMs(),
      skipped: skippedEntries(options, { counted, limitWasHit, unfinished }),
    },
  });
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
      const taken = firstItems(result, limit - counted);
      limitWasHit ||= taken === undefined || itemCount(taken) < itemCount(result);
      if (taken !== undefined) {
        counted += itemCount(taken);
        repositories.add(taken.repository.id);
        filters.add(taken);
        delivery.add(taken);
      }
      return !limitWasHit;
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
