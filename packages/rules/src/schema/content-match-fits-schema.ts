import { searchStreamValidators } from "@assay/openapi";
import { eachMatch } from "../engine/each-match.ts";
import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** Content matches are the only ones whose fields the document shows. Source: search-stream, section 2.3. */
export const contentMatchFitsSchema = defineStreamRule({
  id: "stream/content-match-fits-schema",
  start: () => searchStreamValidators().ContentMatch,
  on: {
    matches(schema, event, report) {
      eachMatch(event, (match, index) => {
        if (member(match, "type") !== "content") {
          return;
        }
        report.observe();
        if (schema.check(match)) {
          return;
        }
        for (const { pointer, message } of schema.errors(match)) {
          report.violation({ message: `content match: ${message}`, ...dataOf(event, `/${index}${pointer}`) });
        }
      });
    },
  },
});
