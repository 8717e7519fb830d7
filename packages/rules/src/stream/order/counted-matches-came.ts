import { literalWord } from "../../engine/literal-word.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { limitOf } from "../compare/count-limit.ts";
import { searchOf } from "../compare/search.ts";
import { defineCountRule, isUnlimited } from "./counted-stream.ts";
import { countMatch, noUnits } from "./counted-units.ts";
import type { CountedUnits } from "./counted-units.ts";

/** The number at which the search stops: of what it counts then, some may not be delivered. */
const limitIn = ({ exchange }: StreamContext): number => {
  const search = searchOf(exchange, true);
  return search === undefined ? 0 : limitOf(search);
};

/**
 * What was found comes in `matches`, and what did not is told of in `skipped`, so the final progress counts no more than came; plausible,
 * but what it counts is not said. It is held against the largest unit that the matches show, in searches for one plain word, whose
 * places do not overlap, and only where nothing is missing. Source: search-stream, sections 2.2, 6 and 7.
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
    const isAsked = isUnlimited(context) && literalWord(context.exchange) !== undefined && count < limitIn(context);
    if (units.elements === 0 || isMissing || !isAsked) {
      return;
    }
    report.observation();
    const most = Math.max(units.elements, units.lines, units.ranges);
    if (count > most) {
      const message = `the final progress counts ${count} matches, nothing was skipped, and ${most} came at most, in whatever unit`;
      report.violation({ message, ...dataOf(event, "/matchCount") });
    }
  },
});
