import { findChunks } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataPlace } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { defineStreamRule } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

interface State {
  isClean: boolean;
  isFirst: boolean;
}

const hasListedChunks = (match: unknown): boolean => {
  const chunks = member(match, "chunkMatches");
  return Array.isArray(chunks) && chunks.length > 0;
};

/** Chunk matches are off unless requested. Reports one violation per stream. Source: search-stream, section 4. */
export const chunkMatchesNeedCm = defineStreamRule<State>({
  id: "stream/chunk-matches-need-cm",
  isAbout: ({ exchange }) => chunkMatchesAsked(exchange) === false,
  start: () => ({ isClean: true, isFirst: true }),
  on: {
    matches(state, event, report) {
      if (!state.isClean) {
        return;
      }
      let contentMatches = 0;
      eachMatch(event, (match, index) => {
        if (!state.isClean || member(match, "type") !== "content") {
          return;
        }
        contentMatches += 1;
        // Chunk matches may have any name. Only the first match is checked for that, because checking all of them would
        // take too long.
        const hasChunks = hasListedChunks(match) || (state.isFirst && findChunks(match).length > 0);
        state.isFirst = false;
        if (hasChunks) {
          state.isClean = false;
          const message = "a content match has chunk matches although `cm` does not request them";
          report.violation({ message, ...dataPlace(event, `/${index}`) });
        }
      });
      report.observation(contentMatches);
    },
  },
});
