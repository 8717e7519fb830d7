import { dataPosition } from "../../engine/event-position.ts";
import type { Match } from "../../engine/matches/match.ts";
import { defineCountRule, requestsAllMatches } from "./counted-stream.ts";

/** Maximum number of repositories tracked per stream. Streams with more are not judged. */
const maxRepositories = 10_000;

interface RepositoryTally {
  readonly repositories: Set<string>;
  /** Whether `repositories` is incomplete: a match has no readable repository, or there are too many. */
  mayLackRepositories: boolean;
}

function addMatch(tally: RepositoryTally, { repository }: Match): void {
  // A name with invalid bytes may equal another one.
  if (repository === undefined || repository.includes("\uFFFD")) {
    tally.mayLackRepositories = true;
  } else if (tally.repositories.size < maxRepositories) {
    tally.repositories.add(repository);
  } else {
    tally.mayLackRepositories = true;
  }
}

/**
 * A `progress` event counts the repositories with matches. If nothing is missing, it counts at most those of the sent
 * matches. This is plausible, but the specification does not require it of the final number. Source: search-stream,
 * sections 2.2 and 6.
 */
export const repositoriesCountFitsMatches = defineCountRule<RepositoryTally>({
  id: "stream/repositories-count-fits-matches",
  key: "repositoriesCount",
  start: () => ({ repositories: new Set(), mayLackRepositories: false }),
  match: addMatch,
  judge(context, { tally, finalCount: { count, event } }, report) {
    const { hasUnreadableMatches, hasProblem, isCutOff, hasLostEvent } = context.gaps;
    const { repositories } = tally;
    const mayLackRepositories =
      tally.mayLackRepositories || hasUnreadableMatches || hasProblem || isCutOff || hasLostEvent;
    if (repositories.size === 0 || mayLackRepositories || !requestsAllMatches(context)) {
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
export const repositoriesCountCoversMatches = defineCountRule<{ readonly repositories: Set<string> }>({
  id: "stream/repositories-count-covers-matches",
  key: "repositoriesCount",
  start: () => ({ repositories: new Set() }),
  match({ repositories }, { repository }) {
    const isName = repository !== undefined && !repository.includes("\uFFFD");
    if (isName && repositories.size < maxRepositories) {
      repositories.add(repository);
    }
  },
  judge(_, { tally: { repositories }, finalCount: { count, event } }, report) {
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
