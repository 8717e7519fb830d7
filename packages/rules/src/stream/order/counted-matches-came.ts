import { literalWordInSearch } from "../../engine/literal-word.ts";
import { dataPosition } from "../../engine/event-position.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { countLimit } from "../../engine/compare/count-limit.ts";
import { parseSearch } from "../../engine/compare/search.ts";
import { mayLackMatches } from "../../engine/stream-gaps.ts";
import { defineCountRule, requestsAllMatches } from "./counted-stream.ts";

/**
 * Returns the count at which the search stops, or 0 if its parameters are ambiguous. At the limit, the target may count
 * more matches than it returns.
 */
const readCountLimit = ({ exchange }: StreamContext): number => {
  const search = parseSearch(exchange, true);
  return search === undefined ? 0 : countLimit(search);
};

/**
 * Matches are sent in `matches`, and omitted ones are reported in `skipped`, so the final `progress` count must not
 * exceed the matches sent. The specification does not define the unit of the count, so the rule uses the largest of
 * three. It compares only complete streams for a single literal word, because matches of other queries may overlap.
 * Source: search-stream, sections 2.2, 6 and 7.
 */
export const countedMatchesCame = defineCountRule({
  id: "stream/counted-matches-came",
  key: "matchCount",
  judge(context, { count, event }, report) {
    const { gaps, units } = context;
    const mayMissMatches = !units.isFullyMarked || mayLackMatches(gaps);
    const isComparable =
      requestsAllMatches(context) &&
      literalWordInSearch(context.exchange) !== undefined &&
      count < readCountLimit(context);
    if (units.elements === 0 || mayMissMatches || !isComparable) {
      return;
    }
    report.observation();
    const maxCount = Math.max(units.elements, units.lines, units.ranges);
    if (count > maxCount) {
      const message = `the final progress event reports ${count} matches and nothing was skipped, but the stream contains at most ${maxCount}, whether counted as elements, lines or ranges`;
      report.violation({ message, ...dataPosition(event, "/matchCount") });
    }
  },
});
