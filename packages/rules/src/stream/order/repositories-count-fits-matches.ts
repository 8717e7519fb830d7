import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { dataPlace } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { defineCountRule, isUnlimited } from "./counted-stream.ts";

/** Maximum number of repositories tracked per stream. Streams with more are not judged. */
const maxRepositories = 10_000;

interface Named {
  readonly repositories: Set<string>;
  /** Whether some matches have an unknown repository. */
  isPartial: boolean;
}

function addMatches(state: Named, event: StreamEvent): void {
  eachMatch(event, (match) => {
    const repository = member(match, "repository");
    // A name with invalid bytes may equal another one.
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
 * A `progress` event counts the repositories with matches. If nothing is missing, it counts at most those of the sent
 * matches. This is plausible, but the specification does not require it of the final number. Source: search-stream,
 * sections 2.2 and 6.
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
      const message = `the final progress counts ${count} repositories, but the matches are in ${repositories.size}`;
      report.violation({ message, ...dataPlace(event, "/repositoriesCount") });
    }
  },
});

/** The count is at least the number of repositories in the sent matches. Source: search-stream, sections 2.2 and 6. */
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
      const message = `the final progress counts ${count} repositories, but the matches are in ${repositories.size}`;
      report.violation({ message, ...dataPlace(event, "/repositoriesCount") });
    }
  },
});
