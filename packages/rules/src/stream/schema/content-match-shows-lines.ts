import { defineStreamRule } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

/**
 * Unless chunk matches are requested, a content match contains its matching lines. The list may be empty. This is
 * plausible, but not required. Reports at most one violation per event. Source: search-stream, sections 2.3 and 4.
 */
export const contentMatchShowsLines = defineStreamRule({
  id: "stream/content-match-shows-lines",
  appliesTo: ({ exchange }) => requestsChunkMatches(exchange) === false,
  start: () => ({ isReported: false }),
  on: {
    match(state, match, report) {
      state.isReported &&= match.index > 0;
      if (match.type !== "content") {
        return;
      }
      const isFoundByPath = match.pathRanges.count > 0;
      report.observation(Number(!isFoundByPath));
      const isShown = match.hasLineMatches || isFoundByPath || match.chunkCount > 0;
      if (!isShown && !state.isReported) {
        state.isReported = true;
        const message = "a content match has no `lineMatches` and no other match in the file";
        report.violation({ message, ...match.position() });
      }
    },
  },
});
