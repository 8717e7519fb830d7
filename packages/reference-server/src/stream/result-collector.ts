import { observedFilterKinds } from "@assay/contract";
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
    ...(standing.done && standing.repositories > 0 ? { repositoriesCount: standing.repositories } : {}),
    matchCount: standing.counted,
    durationMs: options.elapsedMs(),
    skipped: skippedEntries(options, standing),
    ...(options.traceUrl === undefined ? {} : { trace: options.traceUrl }),
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
