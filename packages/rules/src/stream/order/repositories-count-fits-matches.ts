import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { defineCountRule, isUnlimited } from "./counted-stream.ts";

/** So many repositories of one stream are told apart; of a stream with more nothing is said. */
const maxRepositories = 10_000;

interface Named {
  readonly repositories: Set<string>;
  /** Whether matches are of repositories that are not known. */
  isPartial: boolean;
}

function addMatches(state: Named, event: StreamEvent): void {
  eachMatch(event, (match) => {
    const repository = member(match, "repository");
    // A name with bytes that are no text may be that of another one.
    if (typeof repository !== "string" || repository.includes("\uFFFD")) {
      state.isPartial = true;
    } else if (state.repositories.size < maxRepositories) {
      state.repositories.add(repository);
    } else {
      state.isPartial = true;
    }
  });
}

/**
 * A progress counts the repositories with matches, so where nothing is missing there are no more than those of the matches; plausible,
 * but the document does not say it of the final number. Source: search-stream, sections 2.2 and 6.
 */
export const repositoriesCountFitsMatches = defineCountRule<Named>({
  id: "stream/repositories-count-fits-matches",
  key: "repositoriesCount",
  start: () => ({ repositories: new Set(), isPartial: false }),
  matches: addMatches,
  judge({ context, hasUnreadable, hasProblem, isCut }, { kept, final: { count, event } }, report) {
    const { repositories } = kept;
    const isPartial = kept.isPartial || hasUnreadable || hasProblem || isCut || context.damage.hasLostEvent;
    if (repositories.size === 0 || isPartial || !isUnlimited(context)) {
      return;
    }
    report.observation();
    if (count > repositories.size) {
      const message = `the final progress counts ${count} repositories, and the matches are of ${repositories.size}`;
      report.violation({ message, ...dataOf(event, "/repositoriesCount") });
    }
  },
});

/** Whatever was left out of the matches, those repositories that they are of have matches. Source: search-stream, sections 2.2 and 6. */
export const repositoriesCountCoversMatches = defineCountRule<{ readonly repositories: Set<string> }>({
  id: "stream/repositories-count-covers-matches",
  key: "repositoriesCount",
  start: () => ({ repositories: new Set() }),
  matches({ repositories }, event) {
    eachMatch(event, (match) => {
      const repository = member(match, "repository");
      const isName = typeof repository === "string" && !repository.includes("\uFFFD");
      if (isName && repositories.size < maxRepositories) {
        repositories.add(repository);
      }
    });
  },
  judge(_, { kept: { repositories }, final: { count, event } }, report) {
    if (repositories.size === 0) {
      return;
    }
    report.observation();
    if (count < repositories.size) {
      const message = `the final progress counts ${count} repositories, and the matches are of ${repositories.size}`;
      report.violation({ message, ...dataOf(event, "/repositoriesCount") });
    }
  },
});
