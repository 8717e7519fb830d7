import type { StreamEvent } from "@assay/stream-grammar";
import { member } from "@assay/reading";
import type { Match } from "../../engine/matches/match.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";

/** A number in the final `progress` event. */
export interface FinalCount {
  readonly count: number;
  readonly event: StreamEvent;
}

interface CountState<Tally> {
  readonly context: StreamContext;
  readonly tally: Tally;
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
  /** Adds a match to the tally. Default: the tally counts no matches. */
  readonly match?: (tally: Tally, match: Match) => void;
  /** Adds suggested filters to the tally. Default: filters are ignored. */
  readonly filters?: (tally: Tally, event: StreamEvent) => void;
  /** Called once at `done`, if the final `progress` event contains the number. */
  readonly judge: (
    context: StreamContext,
    facts: { readonly tally: Tally; readonly finalCount: FinalCount },
    report: Reporter,
  ) => void;
}

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
  defineStreamRule<CountState<Tally>>({
    id,
    start: (context) => ({ context, tally: start(), finalCount: undefined }),
    on: {
      match: ({ tally }, found) => match?.(tally, found),
      filters: ({ tally }, event) => filters?.(tally, event),
      progress(state, event) {
        const count = member(event.value, key);
        if (state.finalCount === undefined && member(event.value, "done") === true && typeof count === "number") {
          state.finalCount = { count, event };
        }
      },
      done(state, _, report) {
        const { context, tally, finalCount } = state;
        if (finalCount !== undefined) {
          judge(context, { tally, finalCount }, report);
          state.finalCount = undefined;
        }
      },
    },
  });
