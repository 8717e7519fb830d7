import type { ResultFacts } from "../result-facts.ts";
import { commitsByRepository } from "./same-state.ts";

/** Minimum number of searches that must name one commit, so that a lagging replica would have been noticed. */
const minSearches = 8;

/**
 * Reports whether, for each repository of these results, all searches with results in it name the same commit, and at
 * least `min` [8] searches do. False if no commit is named.
 */
export function isIndexUnchanged(
  results: ResultFacts,
  searches: readonly { readonly results?: ResultFacts }[],
  minCount = minSearches,
): boolean {
  const expectedCommits = [...commitsByRepository(results)];
  const commitsOfSearches = searches.flatMap(({ results }) =>
    results === undefined ? [] : [commitsByRepository(results)],
  );
  return (
    expectedCommits.length > 0 &&
    expectedCommits.every(([repository, commit]) => {
      // Matches of other types need not name a commit.
      const commits = commitsOfSearches.flatMap((byRepository) => byRepository.get(repository) ?? []);
      return commit !== undefined && commits.length >= minCount && commits.every((candidate) => candidate === commit);
    })
  );
}
