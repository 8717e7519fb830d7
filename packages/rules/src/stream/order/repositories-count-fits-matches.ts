import { dataPosition } from "../../engine/event-position.ts";
import { defineCountRule, requestsAllMatches } from "./counted-stream.ts";

/**
 * A `progress` event counts the repositories with matches. If nothing is missing, it counts at most those of the sent
 * matches. This is plausible, but the specification does not require it of the final number. Source: search-stream,
 * sections 2.2 and 6.
 */
export const repositoriesCountFitsMatches = defineCountRule({
  id: "stream/repositories-count-fits-matches",
  key: "repositoriesCount",
  judge(context, { count, event }, report) {
    const { hasUnreadableMatches, hasProblem, isCutOff, hasLostEvent } = context.gaps;
    const { repositories, mayLackRepositories } = context.units;
    const mayLackMatches = mayLackRepositories || hasUnreadableMatches || hasProblem || isCutOff || hasLostEvent;
    if (repositories.size === 0 || mayLackMatches || !requestsAllMatches(context)) {
      return;
    }
    report.observation();
    if (count > repositories.size) {
      const message = `the final progress counts ${count} repositories, but the matches are in ${repositories.size}`;
      report.violation({ message, ...dataPosition(event, "/repositoriesCount") });
    }
  },
});

/** The count is at least the number of repositories in the sent matches. Source: search-stream, sections 2.2 and 6. */
export const repositoriesCountCoversMatches = defineCountRule({
  id: "stream/repositories-count-covers-matches",
  key: "repositoriesCount",
  judge({ units: { repositories } }, { count, event }, report) {
    if (repositories.size === 0) {
      return;
    }
    report.observation();
    if (count < repositories.size) {
      const message = `the final progress counts ${count} repositories, but the matches are in ${repositories.size}`;
      report.violation({ message, ...dataPosition(event, "/repositoriesCount") });
    }
  },
});
