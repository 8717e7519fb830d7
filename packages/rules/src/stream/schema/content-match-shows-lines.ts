import { findChunks } from "../../engine/chunk-matches.ts";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { isRecord, member } from "@assay/reading";
import { defineStreamRule } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const hasPathMatches = (match: unknown): boolean => hasEntries(member(match, "pathMatches"));

/** Reports whether a match has lines, chunks or a matching path. */
const showsMatch = (match: unknown): boolean =>
  member(match, "lineMatches") !== undefined || hasPathMatches(match) || findChunks(match).length > 0;

/**
 * Unless chunk matches are requested, a content match contains its matching lines. The list may be empty. This is
 * plausible, but not required. Reports at most one violation per event. Source: search-stream, sections 2.3 and 4.
 */
export const contentMatchShowsLines = defineStreamRule({
  id: "stream/content-match-shows-lines",
  appliesTo: ({ exchange }) => requestsChunkMatches(exchange) === false,
  start: () => undefined,
  on: {
    matches(_, event, report) {
      let firstViolation: number | undefined;
      forEachMatch(event, (match, index) => {
        if (!isRecord(match) || match["type"] !== "content") {
          return;
        }
        report.observation(Number(!hasPathMatches(match)));
        firstViolation ??= showsMatch(match) ? undefined : index;
      });
      if (firstViolation !== undefined) {
        const message = "a content match has no `lineMatches` and no other match in the file";
        report.violation({ message, ...dataPosition(event, `/${firstViolation}`) });
      }
    },
  },
});
