import { literalWord } from "../../engine/literal-word.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataPlace } from "../../engine/event-place.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { limitOf } from "../../engine/compare/count-limit.ts";
import { parseSearch } from "../../engine/compare/search.ts";
import { defineCountRule, isUnlimited } from "./counted-stream.ts";
import { countMatch, noUnits } from "./counted-units.ts";
import type { CountedUnits } from "./counted-units.ts";

/** The number at which the search ends. Some of the counted matches may not be returned. */
const limitIn = ({ exchange }: StreamContext): number => {
  const search = parseSearch(exchange, true);
  return search === undefined ? 0 : limitOf(search);
};

/**
 * Matches are sent in `matches`, and the rest is reported in `skipped`, so the final `progress` event counts at most
 * the sent matches. This is plausible, but the unit is unspecified. The count is compared with the largest unit of the
 * matches, only in searches for one plain word, whose matches do not overlap, and only if nothing is missing. Source:
 * search-stream, sections 2.2, 6 and 7.
 */
export const countedMatchesCame = defineCountRule<CountedUnits>({
  id: "stream/counted-matches-came",
  key: "matchCount",
  start: noUnits,
  matches(units, event) {
    eachMatch(event, (match) => countMatch(units, match));
  },
  judge({ context, hasUnreadable, hasProblem, hasSkipped }, { kept: units, final: { count, event } }, report) {
    const isMissing = !units.isMarked || hasUnreadable || hasProblem || hasSkipped || context.damage.hasLostEvent;
    const isComparable =
      isUnlimited(context) && literalWord(context.exchange) !== undefined && count < limitIn(context);
    if (units.elements === 0 || isMissing || !isComparable) {
      return;
    }
    report.observation();
    const maxCount = Math.max(units.elements, units.lines, units.ranges);
    if (count > maxCount) {
      const message = `the final progress counts ${count} matches and nothing was skipped, but at most ${maxCount} were sent, in any unit`;
      report.violation({ message, ...dataPlace(event, "/matchCount") });
    }
  },
});
