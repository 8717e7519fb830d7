import { refusableCredentials } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { dataPosition } from "../../engine/event-position.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { extractFilter } from "../../engine/compare/query-filter.ts";
import { mayLackMatches } from "../../engine/stream-gaps.ts";
import { defineCountRule } from "./counted-stream.ts";

/**
 * Reports whether a search with this credential may be refused. The stream of a refused search may have no matches,
 * with any count.
 */
const mayBeRefused = (credential: CredentialKind): boolean =>
  credential === "unknown" || refusableCredentials.has(credential);

/** Reports whether all matches must be returned. Rules about `display` check searches that set it. */
function mustReturnAll({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && !query.has("display") && !mayBeRefused(exchange.credential);
}

/**
 * Reports whether the query requests this number. It is unspecified how many more matches are found before the search
 * stops.
 */
const isRequestedNumber = ({ exchange }: StreamContext, count: number): boolean =>
  extractFilter(searchQuery(exchange).get("q") ?? "", "count")?.value === String(count);

/**
 * The count is at least the number of files with matches, in any unit. Counted matches are sent in `matches`, unless
 * they were not requested or the stream reports a reason. Source: search-stream, sections 1, 2.2 and 6.
 */
export const matchCountFitsMatches = defineCountRule({
  id: "stream/match-count-fits-matches",
  key: "matchCount",
  judge(context, { count, event }, report) {
    const { elements, files } = context.units;
    const position = dataPosition(event, "/matchCount");
    if (elements > 0) {
      report.observation();
      if (count <= 0) {
        const message = `there are matches, but the final progress counts ${count}`;
        report.violation({ message, code: "counts-none", ...position });
      } else if (count < files && !isRequestedNumber(context, count)) {
        const message = `there are matches in ${files} files, but the final progress counts ${count}`;
        report.violation({ message, code: "counts-fewer", ...position });
      }
    } else if (count > 0 && !mayLackMatches(context.gaps) && mustReturnAll(context)) {
      const message = `the final progress counts ${count} matches, but none were sent in \`matches\``;
      report.violation({ message, code: "none-came", ...position });
    }
  },
});
