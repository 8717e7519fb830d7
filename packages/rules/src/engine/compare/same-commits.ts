import type { ResultFacts } from "../result-facts.ts";
import { commitsByRepository } from "./same-state.ts";

/** Minimum number of searches that must name the same commit. With fewer, a lagging replica could go unnoticed. */
const minSearches = 8;

/**
 * Reports whether the index did not change: for each repository of the results, at least `minCount` searches name a
 * commit, and all name the same one. It returns false if no commit is named.
 */
export function isIndexUnchanged(
  results: ResultFacts,
  searches: readonly { readonly results?: ResultFacts }[],
  minCount = minSearches,
): boolean {
  const expectedCommits = [...commitsByRepository(results)];
  const commitsOfSearches = searches.flatMap((search) =>
    search.results === undefined ? [] : [commitsByRepository(search.results)],
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
