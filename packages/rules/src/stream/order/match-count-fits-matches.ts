import { refusableCredentials } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { takeFilter } from "../compare/query-filter.ts";
import { defineCountRule } from "./counted-stream.ts";

/** Who may be refused may get a stream without matches, whatever it counts. */
const mayBeRefused = (credential: CredentialKind): boolean =>
  credential === "unknown" || refusableCredentials.has(credential);

/** Whether the one who asked is to get what is found: what `display` does to that has rules of its own. */
function isToBeDelivered({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && !query.has("display") && !mayBeRefused(exchange.credential);
}

/** Whether the query asks for this number: how many matches more are found until the search stops is left open. */
const isAskedFor = ({ exchange }: StreamContext, count: number): boolean =>
  takeFilter(searchQuery(exchange).get("q") ?? "", "count")?.value === String(count);

/** So many files of one stream are told apart; more are not counted. */
const mostFiles = 10_000;

interface Found {
  hasMatches: boolean;
  /** Files with content matches, however many elements they came in. */
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
 * Whatever is counted, it is no fewer than the files that matches came of; and what is counted comes in `matches`, unless it was
 * not asked for or something tells why not. Source: search-stream, sections 1, 2.2 and 6.
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
        const message = `matches came, and the final progress counts ${count}`;
        report.violation({ message, code: "counts-none", ...place });
      } else if (count < kept.files.size && !isAskedFor(context, count)) {
        const message = `matches of ${kept.files.size} files came, and the final progress counts ${count}`;
        report.violation({ message, code: "counts-fewer", ...place });
      }
    } else if (count > 0 && !isExcused && isToBeDelivered(context)) {
      const message = `the final progress counts ${count} matches, and none came in \`matches\``;
      report.violation({ message, code: "none-came", ...place });
    }
  },
});
