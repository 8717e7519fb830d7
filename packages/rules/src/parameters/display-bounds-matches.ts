import { dataOf } from "../engine/event-place.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { integerParameter, searchQuery } from "./search-query.ts";

/** No more matches than asked for, however many were found; what a number below 1 asks for is left open. Source: search-stream, sections 4 and 8. */
export const displayBoundsMatches = defineStreamRule({
  id: "stream/display-bounds-matches",
  start: ({ exchange }) => ({ limit: integerParameter(searchQuery(exchange), "display") ?? 0, matches: 0 }),
  on: {
    matches(state, event, report) {
      if (state.limit < 1 || !Array.isArray(event.value)) {
        return;
      }
      const before = state.matches;
      state.matches += event.value.length;
      report.observe();
      if (before <= state.limit && state.matches > state.limit) {
        const message = `${state.matches} matches were delivered although \`display\` is ${state.limit}`;
        report.violation({ message, ...dataOf(event, `/${state.limit - before}`) });
      }
    },
  },
});
