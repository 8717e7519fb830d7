import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

const isCounted = (value: unknown): boolean => typeof value === "number" && value > 0;

/**
 * The final progress says how many repositories there were. Where nothing matched the count is 0 and may be left out: that
 * is a choice worth recording, not a departure. Source: search-stream, section 2.2.
 */
export const finalProgressCountsRepositories = defineStreamRule({
  id: "stream/final-progress-counts-repositories",
  start: () => ({ hasMatches: false, isFinal: false }),
  on: {
    matches(state, { value }) {
      state.hasMatches ||= Array.isArray(value) && value.length > 0;
    },
    progress(state, event, report) {
      if (member(event.value, "done") !== true || state.isFinal) {
        return;
      }
      state.isFinal = true;
      report.observe();
      const count = member(event.value, "repositoriesCount");
      if (count !== undefined && count !== null) {
        return;
      }
      if (state.hasMatches || isCounted(member(event.value, "matchCount"))) {
        report.violation({ message: "the final progress has no `repositoriesCount`", ...dataOf(event, "") });
      } else {
        const message = "the final progress of a search without matches has no `repositoriesCount`";
        report.observation({ message, code: "repositories-count-left-out", ...dataOf(event, "") });
      }
    },
  },
});
