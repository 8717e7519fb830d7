import type { StreamEvent } from "@assay/stream-grammar";
import { findChunks } from "../../engine/chunk-matches.ts";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

/** Maximum number of files tracked per stream. Further files are not judged. */
const maxFiles = 10_000;

interface State {
  readonly context: StreamContext;
  contentMatches: number;
  hasChunks: boolean;
  /** Files with lines, by repository and path, and whether they also have chunk matches. */
  readonly files: Map<string, boolean>;
  hasUnreadableMatches: boolean;
}

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function addMatches(state: State, event: StreamEvent): void {
  state.hasUnreadableMatches ||= !Array.isArray(event.value);
  forEachMatch(event, (match) => {
    if (member(match, "type") !== "content") {
      return;
    }
    const hasChunks = findChunks(match).length > 0;
    const [repository, path] = [member(match, "repository"), member(match, "path")];
    const key = JSON.stringify([repository, path]);
    state.contentMatches += 1;
    state.hasChunks ||= hasChunks;
    const hasName = typeof repository === "string" && typeof path === "string";
    const isTracked = state.files.has(key) || (state.files.size < maxFiles && hasEntries(member(match, "lineMatches")));
    if (hasName && (isTracked || hasChunks)) {
      state.files.set(key, hasChunks || state.files.get(key) === true);
    }
  });
}

const findFileWithoutChunks = ({ files }: State): string | undefined =>
  [...files].find(([, hasChunks]) => !hasChunks)?.[0];

/**
 * Requested chunk matches are sent for every file with lines. A single content match without lines may have none, but
 * at least one match of the stream must have some. An unreadable match may have had some. Source: search-stream,
 * sections 2.3 and 4.
 */
export const cmEnablesChunkMatches = defineStreamRule<State>({
  id: "stream/cm-enables-chunk-matches",
  appliesTo: ({ exchange }) => requestsChunkMatches(exchange) === true,
  start: (context) => ({
    context,
    contentMatches: 0,
    hasChunks: false,
    files: new Map(),
    hasUnreadableMatches: false,
  }),
  on: {
    matches: addMatches,
    done(state, event, report) {
      const { contentMatches, hasChunks, context, hasUnreadableMatches } = state;
      const mayBeLost = hasUnreadableMatches || context.damage.hasLostEvent;
      if (contentMatches === 0 || (!hasChunks && mayBeLost)) {
        return;
      }
      report.observation();
      if (!hasChunks) {
        const message = `none of ${contentMatches} content matches has chunk matches although \`cm\` is true`;
        report.violation({ message, ...dataPosition(event) });
        return;
      }
      const fileWithoutChunks = mayBeLost ? undefined : findFileWithoutChunks(state);
      if (fileWithoutChunks !== undefined) {
        const message = `a file has lines but no chunk match, although \`cm\` is true and other files have some: ${formatValue(fileWithoutChunks)}`;
        report.violation({ message, ...dataPosition(event) });
      }
    },
  },
});
