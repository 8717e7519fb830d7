import { isRecord } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";
import { levelMembers, findLevelProblem } from "../../engine/alert-level.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineStreamRule } from "../../engine/rule.ts";

/** Describes where an alert contains its level, which is unspecified. */
function describeLevel(alert: JsonRecord): string {
  const levels = levelMembers.filter((name) => Object.hasOwn(alert, name));
  return levels.length === 0
    ? "alerts have no field for their level"
    : `the level of an alert is in ${levels.map((name) => `\`${name}\`: \`${formatValue(alert[name])}\``).join(" and ")}`;
}

/**
 * An alert is an object with unspecified content. The first alert of a stream shows where its level is. Source:
 * search-stream, section 6.
 */
export const alertIsAnObject = defineStreamRule({
  id: "stream/alert-is-an-object",
  start: () => ({ isLevelNoted: false }),
  on: {
    alert(state, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observation();
      if (!isRecord(event.value)) {
        report.violation({ message: "the data of `alert` is not an object", ...dataPosition(event, "") });
      } else if (!state.isLevelNoted) {
        state.isLevelNoted = true;
        report.note({ message: describeLevel(event.value), code: "alert-level", ...dataPosition(event, "") });
      }
    },
  },
});

/** Every alert has a level from a closed set, in an unspecified member. Source: search-stream, section 7. */
export const alertLevelIsListed = defineStreamRule({
  id: "stream/alert-level-is-listed",
  start: () => undefined,
  on: {
    alert(_, event, report) {
      if (!isRecord(event.value)) {
        return;
      }
      report.observation();
      const problem = findLevelProblem(event.value);
      if (problem === "none") {
        const message = "an alert has no level: nothing in it is info, warning or error";
        report.violation({ message, code: "no-level", ...dataPosition(event, "") });
      } else if (problem !== undefined) {
        const { name = "level", level } = problem;
        const message = `the ${name} of an alert is \`${formatValue(level)}\`, not info, warning or error`;
        const argument = typeof level === "string" ? level : JSON.stringify(level);
        const position = dataPosition(event, problem.name === undefined ? "" : `/${problem.name}`);
        report.violation({ message, code: "unlisted", argument: argument.slice(0, 80), ...position });
      }
    },
  },
});
