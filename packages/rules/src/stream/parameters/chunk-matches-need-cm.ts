import { defineStreamRule } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

interface State {
  isUnreported: boolean;
  isFirstMatch: boolean;
}

/** Chunk matches are off unless requested. Reports one violation per stream. Source: search-stream, section 4. */
export const chunkMatchesNeedCm = defineStreamRule<State>({
  id: "stream/chunk-matches-need-cm",
  appliesTo: ({ exchange }) => requestsChunkMatches(exchange) === false,
  start: () => ({ isUnreported: true, isFirstMatch: true }),
  on: {
    match(state, match, report) {
      if (!state.isUnreported || match.type !== "content") {
        return;
      }
      report.observation();
      // Chunk matches may have any name. Only the first match is checked for that, because checking all of them would
      // take too long.
      const hasChunks = (match.hasListedChunks || state.isFirstMatch) && match.chunkCount > 0;
      state.isFirstMatch = false;
      if (hasChunks) {
        state.isUnreported = false;
        const message = "a content match has chunk matches although `cm` does not request them";
        report.violation({ message, ...match.position() });
      }
    },
  },
});
