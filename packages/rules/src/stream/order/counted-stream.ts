import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import type { FinalCount } from "../../engine/search-progress.ts";
import { searchQuery } from "../../engine/search-query.ts";

/** Reports whether the search sets no `display` limit, so that all matches must be returned. */
export function requestsAllMatches({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && query.getAll("display").every((value) => value === "-1");
}

/** A rule that compares a number in the final `progress` event with the matches of the stream. */
export interface CountRule {
  readonly id: StreamRule["id"];
  readonly key: "matchCount" | "repositoriesCount";
  /** Called once at `done`, if the final `progress` event contains the number. */
  readonly judge: (context: StreamContext, finalCount: FinalCount, report: Reporter) => void;
}

/**
 * Defines a rule that compares the count of the final `progress` event with the matches of the stream. Source:
 * search-stream, sections 2.2 and 7.
 */
export const defineCountRule = ({ id, key, judge }: CountRule): StreamRule =>
  defineStreamRule<StreamContext>({
    id,
    start: (context) => context,
    on: {
      done(context, _, report) {
        const finalCount = context.progress[key];
        if (finalCount !== undefined) {
          judge(context, finalCount, report);
        }
      },
    },
  });
