import type { StreamEvent } from "@assay/stream-grammar";
import { chunksOf } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "../../engine/json-value.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

interface State {
  readonly context: StreamContext;
  contentMatches: number;
  hasChunks: boolean;
  isUnreadable: boolean;
}

function takeMatches(state: State, event: StreamEvent): void {
  state.isUnreadable ||= !Array.isArray(event.value);
  if (state.hasChunks) {
    return;
  }
  eachMatch(event, (match) => {
    if (member(match, "type") === "content") {
      state.contentMatches += 1;
      state.hasChunks ||= chunksOf(match).length > 0;
    }
  });
}

/**
 * Chunk matches come when they are asked for. A single content match may do without, but not all of a stream; one that
 * could not be read may have had some. Source: search-stream, section 4.
 */
export const cmEnablesChunkMatches = defineStreamRule<State>({
  id: "stream/cm-enables-chunk-matches",
  isAbout: ({ exchange }) => chunkMatchesAsked(exchange) === true,
  start: (context) => ({
    context,
    contentMatches: 0,
    hasChunks: false,
    isUnreadable: false,
  }),
  on: {
    matches: takeMatches,
    done(state, event, report) {
      const { contentMatches, hasChunks, context, isUnreadable } = state;
      const mayBeLost = isUnreadable || context.damage.hasLostEvent;
      if (contentMatches === 0 || (!hasChunks && mayBeLost)) {
        return;
      }
      report.observe();
      if (!hasChunks) {
        const message = `none of ${contentMatches} content matches has chunk matches although \`cm\` is true`;
        report.violation({ message, ...dataOf(event) });
      }
    },
  },
});
