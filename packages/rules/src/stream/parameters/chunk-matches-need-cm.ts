import { findChunks } from "../../engine/chunk-matches.ts";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { member } from "@assay/reading";
import { defineStreamRule } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

interface State {
  isUnreported: boolean;
  isFirstMatch: boolean;
}

const hasChunkMatches = (match: unknown): boolean => {
  const chunks = member(match, "chunkMatches");
  return Array.isArray(chunks) && chunks.length > 0;
};

/** Chunk matches are off unless requested. Reports one violation per stream. Source: search-stream, section 4. */
export const chunkMatchesNeedCm = defineStreamRule<State>({
  id: "stream/chunk-matches-need-cm",
  appliesTo: ({ exchange }) => requestsChunkMatches(exchange) === false,
  start: () => ({ isUnreported: true, isFirstMatch: true }),
  on: {
    matches(state, event, report) {
      if (!state.isUnreported) {
        return;
      }
      let contentMatches = 0;
      forEachMatch(event, (match, index) => {
        if (!state.isUnreported || member(match, "type") !== "content") {
          return;
        }
        contentMatches += 1;
        // Chunk matches may have any name. Only the first match is checked for that, because checking all of them would
        // take too long.
        const hasChunks = hasChunkMatches(match) || (state.isFirstMatch && findChunks(match).length > 0);
        state.isFirstMatch = false;
        if (hasChunks) {
          state.isUnreported = false;
          const message = "a content match has chunk matches although `cm` does not request them";
          report.violation({ message, ...dataPosition(event, `/${index}`) });
        }
      });
      report.observation(contentMatches);
    },
  },
});
