import { findChunks } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataPlace } from "../../engine/event-place.ts";
import { isRecord, member } from "@assay/reading";
import { defineStreamRule } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const isFoundByPath = (match: unknown): boolean => hasEntries(member(match, "pathMatches"));

/** Reports whether a match has lines, chunks or a matching path. */
const isShown = (match: unknown): boolean =>
  member(match, "lineMatches") !== undefined || isFoundByPath(match) || findChunks(match).length > 0;

/**
 * Unless chunk matches are requested, a content match contains its matching lines. The list may be empty. This is
 * plausible, but not required. Reports at most one violation per event. Source: search-stream, sections 2.3 and 4.
 */
export const contentMatchShowsLines = defineStreamRule({
  id: "stream/content-match-shows-lines",
  isAbout: ({ exchange }) => chunkMatchesAsked(exchange) === false,
  start: () => undefined,
  on: {
    matches(_, event, report) {
      let first: number | undefined;
      eachMatch(event, (match, index) => {
        if (!isRecord(match) || match["type"] !== "content") {
          return;
        }
        report.observation(Number(!isFoundByPath(match)));
        first ??= isShown(match) ? undefined : index;
      });
      if (first !== undefined) {
        const message = "a content match has no `lineMatches` and no other match in the file";
        report.violation({ message, ...dataPlace(event, `/${first}`) });
      }
    },
  },
});
