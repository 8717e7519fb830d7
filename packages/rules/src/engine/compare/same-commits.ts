import type { ResultFacts } from "../result-facts.ts";
import { commitsByRepository } from "./same-state.ts";

/** Minimum number of searches that must name one commit, so that a lagging replica would have been noticed. */
const minSearches = 8;

/**
 * Reports whether, for each repository of these results, all searches with results in it name the same commit, and at
 * least `min` [8] searches do. False if no commit is named.
 */
export function isIndexUnchanged(
  found: ResultFacts,
  searches: readonly { readonly results?: ResultFacts }[],
  min = minSearches,
): boolean {
  const ownCommits = [...commitsByRepository(found)];
  const commitsOfSearches = searches.flatMap(({ results }) =>
    results === undefined ? [] : [commitsByRepository(results)],
  );
  return (
    ownCommits.length > 0 &&
    ownCommits.every(([repository, commit]) => {
      // Matches of other types need not name a commit.
      const commits = commitsOfSearches.flatMap((byRepository) => byRepository.get(repository) ?? []);
      return commit !== undefined && commits.length >= min && commits.every((candidate) => candidate === commit);
    })
  );
}
