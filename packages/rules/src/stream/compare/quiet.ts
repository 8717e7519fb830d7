import type { ResultFacts } from "../../engine/result-facts.ts";
import { commitsOf } from "./same-state.ts";

/** Fewest searches that have to name one commit, so that a replica that lags would have shown itself. */
const minWitnesses = 8;

/**
 * True if all searches that found anything in a repository of these results name the same commit of it, and these are many for each of
 * the repositories: at least `min` [8]. False where no commit is named.
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
