import type { CredentialKind } from "@assay/evidence";
import { dataOf } from "../../engine/event-place.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { defineCountRule } from "./counted-stream.ts";

/** Who may be refused may get a stream without matches, whatever it counts. */
const mayBeRefused: ReadonlySet<CredentialKind> = new Set(["none", "invalid-token", "unscoped-token", "unknown"]);

/** Whether the one who asked is to get what is found: what `display` does to that has rules of its own. */
function isToBeDelivered({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && !query.has("display") && !mayBeRefused.has(exchange.credential);
}

/**
 * Whatever is counted, where matches came it is more than none; and what is counted comes in `matches`, unless it was not asked
 * for or something tells why not. Source: search-stream, sections 1, 2.2 and 6.
 */
export const matchCountFitsMatches = defineCountRule({
  id: "stream/match-count-fits-matches",
  key: "matchCount",
  start: () => ({ hasMatches: false }),
  matches(kept, { value }) {
    kept.hasMatches ||= Array.isArray(value) && value.length > 0;
  },
  judge({ context, hasUnreadable, hasProblem, hasSkipped }, { kept, final: { count, event } }, report) {
    const place = dataOf(event, "/matchCount");
    const isExcused = hasUnreadable || hasProblem || hasSkipped || context.damage.hasLostEvent;
    if (kept.hasMatches) {
      report.observe();
      if (count <= 0) {
        const message = `matches came, and the final progress counts ${count}`;
        report.violation({ message, code: "counts-none", ...place });
      }
    } else if (count > 0 && !isExcused && isToBeDelivered(context)) {
      const message = `the final progress counts ${count} matches, and none came in \`matches\``;
      report.violation({ message, code: "none-came", ...place });
    }
  },
});
