import { refusableCredentials } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { takeFilter } from "../../engine/compare/query-filter.ts";
import { defineCountRule } from "./counted-stream.ts";

/** A refused search may have a stream without matches, with any count. */
const mayBeRefused = (credential: CredentialKind): boolean =>
  credential === "unknown" || refusableCredentials.has(credential);

/** Reports whether all matches must be returned; separate rules check `display`. */
function isToBeDelivered({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && !query.has("display") && !mayBeRefused(exchange.credential);
}

/**
 * Reports whether the query requests this number: how many more matches are found before the search stops is
 * unspecified.
 */
const isAskedFor = ({ exchange }: StreamContext, count: number): boolean =>
  takeFilter(searchQuery(exchange).get("q") ?? "", "count")?.value === String(count);

/** Maximum number of files tracked per stream; more are not counted. */
const mostFiles = 10_000;

interface Found {
  hasMatches: boolean;
  /** Files with content matches, in any number of elements. */
  readonly files: Set<string>;
}

function addMatches(found: Found, event: StreamEvent): void {
  found.hasMatches ||= Array.isArray(event.value) && event.value.length > 0;
  eachMatch(event, (match) => {
    const [repository, path] = [member(match, "repository"), member(match, "path")];
    const isFile = member(match, "type") === "content" && typeof repository === "string" && typeof path === "string";
    if (isFile && found.files.size < mostFiles) {
      found.files.add(JSON.stringify([repository, path]));
    }
  });
}

/**
 * The count is at least the number of files with matches, in any unit. Counted matches are sent in `matches`, unless
 * they were not requested or a reason is given. Source: search-stream, sections 1, 2.2 and 6.
 */
export const matchCountFitsMatches = defineCountRule({
  id: "stream/match-count-fits-matches",
  key: "matchCount",
  start: (): Found => ({ hasMatches: false, files: new Set() }),
  matches: addMatches,
  judge({ context, hasUnreadable, hasProblem, hasSkipped }, { kept, final: { count, event } }, report) {
    const place = dataOf(event, "/matchCount");
    const isExcused = hasUnreadable || hasProblem || hasSkipped || context.damage.hasLostEvent;
    if (kept.hasMatches) {
      report.observation();
      if (count <= 0) {
        const message = `there are matches, but the final progress counts ${count}`;
        report.violation({ message, code: "counts-none", ...place });
      } else if (count < kept.files.size && !isAskedFor(context, count)) {
        const message = `there are matches in ${kept.files.size} files, but the final progress counts ${count}`;
        report.violation({ message, code: "counts-fewer", ...place });
      }
    } else if (count > 0 && !isExcused && isToBeDelivered(context)) {
      const message = `the final progress counts ${count} matches, but none were sent in \`matches\``;
      report.violation({ message, code: "none-came", ...place });
    }
  },
});
