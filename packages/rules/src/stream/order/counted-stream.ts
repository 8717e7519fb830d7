import type { StreamEvent } from "@assay/stream-grammar";
import { isInformational } from "../../engine/alert-level.ts";
import { member } from "@assay/reading";
import type { Match } from "../../engine/matches/match.ts";
import { countMatches } from "../../engine/matches/read-matches.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries, isCutReason } from "../../engine/skipped-entry.ts";

/** A number in the final `progress` event. */
export interface FinalCount {
  readonly count: number;
  readonly event: StreamEvent;
}

/** The facts about a stream that explain why its matches may differ from the count. */
export interface CountedStream {
  readonly context: StreamContext;
  /** Whether a `matches` event was not an array, so that its content is unknown. */
  hasUnreadableMatches: boolean;
  /** Whether there was an error, or an alert that is not only informational. */
  hasProblem: boolean;
  /** Whether there were skipped entries. */
  hasSkipped: boolean;
  /** Whether a skip reason means that results were cut off. */
  isCutOff: boolean;
  /** The first final `progress` event that contains the count. Cleared after the judgement. */
  finalCount: FinalCount | undefined;
}

/** Reports whether the search sets no `display` limit, so that all matches must be returned. */
export function requestsAllMatches({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && query.getAll("display").every((value) => value === "-1");
}

/** A rule that compares a number in the final `progress` event with the matches of the stream. */
export interface CountRule<Tally extends object> {
  readonly id: StreamRule["id"];
  readonly key: "matchCount" | "repositoriesCount";
  /** Creates an empty tally. */
  readonly start: () => Tally;
  /** Adds a match to the tally. */
  readonly match: (tally: Tally, match: Match) => void;
  /** Adds suggested filters to the tally. Default: filters are ignored. */
  readonly filters?: (tally: Tally, event: StreamEvent) => void;
  /** Called once at `done`, if the final `progress` event contains the number. */
  readonly judge: (
    stream: CountedStream,
    facts: { readonly tally: Tally; readonly finalCount: FinalCount },
    report: Reporter,
  ) => void;
}

function addProgress(stream: CountedStream, event: StreamEvent, key: string): void {
  const entries = skippedEntries(event.value);
  stream.hasSkipped ||= entries.length > 0;
  stream.isCutOff ||= entries.some((entry) => isCutReason(member(entry, "reason")));
  const count = member(event.value, key);
  if (stream.finalCount === undefined && member(event.value, "done") === true && typeof count === "number") {
    stream.finalCount = { count, event };
  }
}

const createCountedStream = (context: StreamContext): CountedStream => ({
  context,
  hasUnreadableMatches: false,
  hasProblem: false,
  hasSkipped: false,
  isCutOff: false,
  finalCount: undefined,
});

/**
 * Defines a rule that compares the count of the final `progress` event with the matches of the stream. Source:
 * search-stream, sections 2.2 and 7.
 */
export const defineCountRule = <Tally extends object>({
  id,
  key,
  start,
  match,
  filters,
  judge,
}: CountRule<Tally>): StreamRule =>
  defineStreamRule<{ readonly stream: CountedStream; readonly tally: Tally }>({
    id,
    start: (context) => ({ stream: createCountedStream(context), tally: start() }),
    on: {
      any({ stream }, { name }) {
        stream.hasProblem ||= name === "error";
      },
      alert({ stream }, { value }) {
        stream.hasProblem ||= !isInformational(value);
      },
      matches({ stream }, event) {
        stream.hasUnreadableMatches ||= countMatches(event) === undefined;
      },
      match: ({ tally }, found) => match(tally, found),
      filters: ({ tally }, event) => filters?.(tally, event),
      progress: ({ stream }, event) => addProgress(stream, event, key),
      done({ stream, tally }, _, report) {
        const { finalCount } = stream;
        if (finalCount !== undefined) {
          judge(stream, { tally, finalCount }, report);
          stream.finalCount = undefined;
        }
      },
    },
  });
