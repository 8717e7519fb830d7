import { matchTypes } from "@assay/contract";
import { eachMatch } from "../engine/each-match.ts";
import { dataOf } from "../engine/event-place.ts";
import { member, shownValue } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

const listed: ReadonlySet<unknown> = new Set(matchTypes);

/** The document closes the list of match types. Source: search-stream, sections 2.3 and 6. */
export const matchTypeIsListed = defineStreamRule({
  id: "stream/match-type-is-listed",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      eachMatch(event, (match, index) => {
        const type = member(match, "type");
        if (typeof type !== "string") {
          return;
        }
        report.observe();
        if (!listed.has(type)) {
          report.violation({
            message: `a match has the type \`${shownValue(type)}\``,
            ...dataOf(event, `/${index}/type`),
          });
        }
      });
    },
  },
});
