import { dataOf } from "../engine/event-place.ts";
import { isRecord, shownValue } from "../engine/json-value.ts";
import type { JsonRecord } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** Members that may hold the level of an alert. */
const levelNames = ["level", "severity"] as const;

/** Where the level of an alert stands, if anywhere: that is left open. */
function levelMessage(alert: JsonRecord): string {
  const levels = levelNames.filter((name) => Object.hasOwn(alert, name));
  return levels.length === 0
    ? "alerts have no field for their level"
    : `the level of an alert is in ${levels.map((name) => `\`${name}\`: \`${shownValue(alert[name])}\``).join(" and ")}`;
}

/** What an alert holds is not shown; that it is an object is. The first of a stream shows where its level is. Source: search-stream, section 6. */
export const alertIsAnObject = defineStreamRule({
  id: "stream/alert-is-an-object",
  start: () => ({ isLevelTold: false }),
  on: {
    alert(state, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observe();
      if (!isRecord(event.value)) {
        report.violation({ message: "the data of `alert` is not an object", ...dataOf(event, "") });
      } else if (!state.isLevelTold) {
        state.isLevelTold = true;
        report.observation({ message: levelMessage(event.value), code: "alert-level", ...dataOf(event, "") });
      }
    },
  },
});
