import { dataPosition } from "../../engine/event-position.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Match } from "../../engine/matches/match.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

interface State {
  readonly context: StreamContext;
  contentMatches: number;
  hasChunks: boolean;
  /** True at the numbers of the files with chunk matches so far. */
  readonly hasChunksByFile: boolean[];
  /** Names of the files with lines but no chunk matches so far, by file number. */
  readonly filesWithoutChunks: Map<number, string>;
}

function addMatch(state: State, match: Match): void {
  if (match.type !== "content") {
    return;
  }
  const { fileNumber } = match;
  const hasChunks = match.chunkCount > 0;
  state.contentMatches += 1;
  state.hasChunks ||= hasChunks;
  if (fileNumber === undefined) {
    return;
  }
  if (hasChunks) {
    state.hasChunksByFile[fileNumber] = true;
    state.filesWithoutChunks.delete(fileNumber);
  } else if (
    match.lines.count > 0 &&
    state.hasChunksByFile[fileNumber] !== true &&
    !state.filesWithoutChunks.has(fileNumber)
  ) {
    state.filesWithoutChunks.set(fileNumber, JSON.stringify([match.repository, match.path]));
  }
}

/**
 * If chunk matches are requested, every file with lines has some. A content match without lines may have none, but at
 * least one match of the stream must have some. An unreadable match may have had chunk matches. Source: search-stream,
 * sections 2.3 and 4.
 */
export const cmEnablesChunkMatches = defineStreamRule<State>({
  id: "stream/cm-enables-chunk-matches",
  appliesTo: ({ exchange }) => requestsChunkMatches(exchange) === true,
  start: (context) => ({
    context,
    contentMatches: 0,
    hasChunks: false,
    hasChunksByFile: [],
    filesWithoutChunks: new Map(),
  }),
  on: {
    match: addMatch,
    done(state, event, report) {
      const { contentMatches, hasChunks, context } = state;
      const mayBeLost = context.gaps.hasUnreadableMatches || context.gaps.hasLostEvent;
      if (contentMatches === 0 || (!hasChunks && mayBeLost)) {
        return;
      }
      report.observation();
      if (!hasChunks) {
        const message = `none of ${contentMatches} content matches has chunk matches although \`cm\` is true`;
        report.violation({ message, ...dataPosition(event) });
        return;
      }
      const [fileWithoutChunks] = mayBeLost ? [] : state.filesWithoutChunks.values();
      if (fileWithoutChunks !== undefined) {
        const message = `a file has lines but no chunk match, although \`cm\` is true and other files have some: ${formatValue(fileWithoutChunks)}`;
        report.violation({ message, ...dataPosition(event) });
      }
    },
  },
});
