import { cachePerObject } from "../cache-per-object.ts";
import type { FoundFile } from "../found-file.ts";
import type { ResultFacts } from "../result-facts.ts";
import { maxTimesSent } from "./search.ts";
import type { UsableSearch } from "./usable-search.ts";

/**
 * The relation of the index states of two searches. `same`: all results are in repositories for which both searches
 * name the same single commit. `different`: the searches name different commits of a repository. `unknown`: anything
 * else, including a search without results.
 */
export type StateRelation = "same" | "different" | "unknown";

/**
 * Returns the commit of each repository with results. The value is undefined if the results name no commit or several.
 * Cached.
 */
export const commitsByRepository = cachePerObject(
  ({ files, otherItems }: ResultFacts): ReadonlyMap<string, string | undefined> => {
    const commits = new Map<string, Set<string | undefined>>();
    const add = (repository: string, commit: string | undefined): void => {
      commits.set(repository, (commits.get(repository) ?? new Set()).add(commit));
    };
    for (const { repository, commit, hasConflicts } of files.values()) {
      add(repository, hasConflicts ? undefined : commit);
    }
    for (const { repository, commit } of otherItems.values()) {
      // Commits of other match types are unspecified, so a match without one is ignored.
      if (commit !== undefined || !commits.has(repository)) {
        add(repository, commit);
      }
    }
    return new Map(
      [...commits].map(([repository, commitsOfRepository]) => [repository, onlyElement(commitsOfRepository)]),
    );
  },
);

function onlyElement(commits: ReadonlySet<string | undefined>): string | undefined {
  const [first] = commits;
  return commits.size === 1 ? first : undefined;
}

/** Returns the repositories for which both searches name the same single commit. */
export function findSharedRepositories(results: ResultFacts, otherResults: ResultFacts): ReadonlySet<string> {
  const otherCommits = commitsByRepository(otherResults);
  return new Set(
    [...commitsByRepository(results)].flatMap(([repository, commit]) =>
      commit !== undefined && otherCommits.get(repository) === commit ? [repository] : [],
    ),
  );
}

const isInRepositories =
  (repositories: ReadonlySet<string>) =>
  ([, { repository }]: readonly [string, { readonly repository: string }]): boolean =>
    repositories.has(repository);

/** Returns the results of a search in some repositories. Highlights and counts still refer to the complete search. */
export const resultsInRepositories = (results: ResultFacts, repositories: ReadonlySet<string>): ResultFacts => ({
  ...results,
  files: new Map([...results.files].filter(isInRepositories(repositories))),
  otherItems: new Map([...results.otherItems].filter(isInRepositories(repositories))),
  unidentifiedCounts: new Map(),
});

const areAllInRepositories = (
  { files, otherItems, unidentifiedCounts }: ResultFacts,
  repositories: ReadonlySet<string>,
): boolean => unidentifiedCounts.size === 0 && [...files, ...otherItems].every(isInRepositories(repositories));

/** Compares the index states of two searches. */
export function compareStates(results: ResultFacts, otherResults: ResultFacts): StateRelation {
  const otherCommits = commitsByRepository(otherResults);
  const isDifferent = [...commitsByRepository(results)].some(([repository, commit]) => {
    const otherCommit = otherCommits.get(repository);
    return commit !== undefined && otherCommit !== undefined && otherCommit !== commit;
  });
  if (isDifferent) {
    return "different";
  }
  const sharedNames = findSharedRepositories(results, otherResults);
  return sharedNames.size > 0 &&
    areAllInRepositories(results, sharedNames) &&
    areAllInRepositories(otherResults, sharedNames)
    ? "same"
    : "unknown";
}

/** Returns the searches that provably saw the same index state as `search`. */
export const searchesInSameState = (search: UsableSearch, searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ results }) => compareStates(results, search.results) === "same");

/** Reports whether any of the searches names a commit. */
export const hasAnyCommit = (searches: readonly UsableSearch[]): boolean =>
  searches.some(({ results: { files, otherItems } }) =>
    [...files.values(), ...otherItems.values()].some(({ commit }) => commit !== undefined),
  );

/**
 * Returns the results of a search in repositories that another search found at the same commit. If `hasCommit` is
 * false, returns all results.
 */
export const comparableResults = (search: UsableSearch, other: UsableSearch, hasCommit: boolean): ResultFacts =>
  hasCommit
    ? resultsInRepositories(search.results, findSharedRepositories(search.results, other.results))
    : search.results;

/** Reports whether the results name one commit for every repository. */
export const namesEveryCommit = (results: ResultFacts): boolean =>
  areAllInRepositories(results, findSharedRepositories(results, results));

/** Reports whether two files are certainly in the same state: both name the same commit. */
export const hasSameCommit = (left: FoundFile, right: FoundFile): boolean =>
  !left.hasConflicts && !right.hasConflicts && left.commit !== undefined && left.commit === right.commit;

/**
 * Reports whether some of the searches were sent before this one (or at the same time), and some after it. If no
 * commits are named, sending times are the only evidence of the index state.
 */
export const wasSentBetween = ({ sentAtMicros }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((search) => search.sentAtMicros <= sentAtMicros) &&
  searches.some((search) => search.sentAtMicros >= sentAtMicros);

/** Returns why searches in different states are not compared, with advice. */
export const differentStateReason = (times: number): string =>
  `the searches saw different states of the index, although they were sent ${times} times: they name different commits, or find different results each time; run again while the index does not change`;

/** Returns why an incomplete search is not compared, with advice. */
export const incompleteReason = (times: number): string =>
  `a search reported a problem, or omitted results for a reason that may be temporary, although it was sent ${times} times; run again`;

/** Returns why the evidence does not show that any of the searches saw the same index state as `search`. */
export const reasonForUnknownState = (search: UsableSearch, searches: readonly UsableSearch[]): string =>
  searches.some(({ results }) => compareStates(results, search.results) === "different")
    ? differentStateReason(maxTimesSent([search, ...searches]))
    : notCompared.unknownState;

/** The reasons searches are not compared, each with advice. */
export const notCompared = {
  unknownState:
    "it is unknown whether the searches saw the same state of the index: one of them found nothing or named no commit; choose a `--query` that finds content",
  unidentified: "matches do not name what they match; choose a `--query` that finds content",
  sameResults:
    "the query finds the same with any `t` and `patternType:`; either this target ignores both, or the searched files show no difference; choose a `--query` that finds lines of code",
  limited: "a search stopped at a limit; choose a `--query` that finds fewer matches",
} as const;
