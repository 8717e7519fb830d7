import { eachMatch } from "../engine/each-match.ts";
import { isRecord, member, shownValue } from "../engine/json-value.ts";
import { dataOf } from "../engine/event-place.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** `matches` carries an array whose elements are objects that say their type. Source: search-stream, sections 2.3 and 6. */
export const matchesIsAnArray = defineStreamRule({
  id: "stream/matches-is-an-array",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observe();
      if (!Array.isArray(event.value)) {
        report.violation({
          message: `the data of \`matches\` is ${shownValue(event.value)}, not an array`,
          ...dataOf(event, ""),
        });
        return;
      }
      eachMatch(event, (match, index) => {
        if (!isRecord(match)) {
          report.violation({ message: "an element of `matches` is not an object", ...dataOf(event, `/${index}`) });
        } else if (typeof member(match, "type") !== "string") {
          report.violation({ message: "a match has no string `type`", ...dataOf(event, `/${index}`) });
        }
      });
    },
  },
});
