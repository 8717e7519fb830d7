import { dataPosition } from "../../engine/event-position.ts";
import { countMatches } from "../../engine/matches/read-matches.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { positiveParameter, searchQuery } from "../../engine/search-query.ts";

const displayLimit = ({ exchange }: StreamContext): number => positiveParameter(searchQuery(exchange), "display");

/**
 * A search returns at most `display` matches, regardless of how many it found. Values below 1 are unspecified. Source:
 * search-stream, sections 4 and 8.
 */
export const displayBoundsMatches = defineStreamRule({
  id: "stream/display-bounds-matches",
  appliesTo: (context) => displayLimit(context) >= 1,
  start: (context) => ({ limit: displayLimit(context), matchCount: 0 }),
  on: {
    matches(state, event, report) {
      const count = countMatches(event);
      if (count === undefined) {
        return;
      }
      const countBefore = state.matchCount;
      state.matchCount += count;
      report.observation();
      if (countBefore <= state.limit && state.matchCount > state.limit) {
        const message = `${state.matchCount} matches were returned although \`display\` is ${state.limit}`;
        report.violation({
          message,
          ...dataPosition(event, `/${state.limit - countBefore}`),
        });
      }
    },
  },
});
