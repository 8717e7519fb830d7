import type { ResultFacts } from "../result-facts.ts";
import { commitsOf } from "./same-state.ts";

/** Minimum number of searches that must name one commit, so that a lagging replica would have been noticed. */
const minWitnesses = 8;

/**
 * Reports whether all searches with results in a repository of these results name the same commit of it, at least `min`
 * [8] searches for each repository. False if no commit is named.
 */
export function isQuiet(
  found: ResultFacts,
  searches: readonly { readonly results?: ResultFacts }[],
  min = minWitnesses,
): boolean {
  const own = [...commitsOf(found)];
  const named = searches.flatMap(({ results }) => (results === undefined ? [] : [commitsOf(results)]));
  return (
    own.length > 0 &&
    own.every(([repository, commit]) => {
      // Matches of other types need not name a commit.
      const commits = named.flatMap((each) => each.get(repository) ?? []);
      return commit !== undefined && commits.length >= min && commits.every((one) => one === commit);
    })
  );
}
