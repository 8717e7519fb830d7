import type { FoundFile } from "../found-file.ts";
import type { ResultFacts } from "../result-facts.ts";
import { timesSent } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/**
 * The relation of the index states of two searches. `same`: all results are in repositories for which both name the
 * same single commit. `other`: they name different commits of a repository. `unknown`: anything else, including a
 * search without results.
 */
export type SharedState = "same" | "other" | "unknown";

/** The commit of each repository with results. Undefined if there is none, or several. */
export function commitsByRepository({ files, others }: ResultFacts): ReadonlyMap<string, string | undefined> {
  const commits = new Map<string, Set<string | undefined>>();
  const add = (repository: string, commit: string | undefined): void => {
    commits.set(repository, (commits.get(repository) ?? new Set()).add(commit));
  };
  for (const { repository, commit, isMixed } of files.values()) {
    add(repository, isMixed ? undefined : commit);
  }
  for (const { repository, commit } of others.values()) {
    // Commits of other match types are unspecified, so a match without one is ignored.
    if (commit !== undefined || !commits.has(repository)) {
      add(repository, commit);
    }
  }
  return new Map([...commits].map(([repository, commits]) => [repository, only(commits)]));
}

function only(commits: ReadonlySet<string | undefined>): string | undefined {
  const [first] = commits;
  return commits.size === 1 ? first : undefined;
}

/** Repositories for which both searches name the same single commit. */
export function sharedRepositories(one: ResultFacts, other: ResultFacts): ReadonlySet<string> {
  const otherCommits = commitsByRepository(other);
  return new Set(
    [...commitsByRepository(one)].flatMap(([repository, commit]) =>
      commit !== undefined && otherCommits.get(repository) === commit ? [repository] : [],
    ),
  );
}

const isIn =
  (repositories: ReadonlySet<string>) =>
  ([, { repository }]: readonly [string, { readonly repository: string }]): boolean =>
    repositories.has(repository);

/** The results of a search in some repositories. Highlights and counts are still those of the complete search. */
export const foundWithin = (results: ResultFacts, repositories: ReadonlySet<string>): ResultFacts => ({
  ...results,
  files: new Map([...results.files].filter(isIn(repositories))),
  others: new Map([...results.others].filter(isIn(repositories))),
  unidentified: new Map(),
});

const isAllWithin = ({ files, others, unidentified }: ResultFacts, repositories: ReadonlySet<string>): boolean =>
  unidentified.size === 0 && [...files, ...others].every(isIn(repositories));

/** The relation of the index states of two searches. */
export function compareStates(one: ResultFacts, other: ResultFacts): SharedState {
  const otherCommits = commitsByRepository(other);
  const isDifferent = [...commitsByRepository(one)].some(([repository, commit]) => {
    const otherCommit = otherCommits.get(repository);
    return commit !== undefined && otherCommit !== undefined && otherCommit !== commit;
  });
  if (isDifferent) {
    return "other";
  }
  const shared = sharedRepositories(one, other);
  return shared.size > 0 && isAllWithin(one, shared) && isAllWithin(other, shared) ? "same" : "unknown";
}

/** Returns the searches that are known to have seen the same state as this one. */
export const withSameState = (one: UsableSearch, searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ results }) => compareStates(results, one.results) === "same");

/** Reports whether any of the searches names a commit. */
export const hasCommits = (searches: readonly UsableSearch[]): boolean =>
  searches.some(({ results: { files, others } }) =>
    [...files.values(), ...others.values()].some(({ commit }) => commit !== undefined),
  );

/**
 * The results of a search in repositories that another search found at the same commit. All results if no commits are
 * named.
 */
export const comparablePart = (search: UsableSearch, other: UsableSearch, hasCommit: boolean): ResultFacts =>
  hasCommit ? foundWithin(search.results, sharedRepositories(search.results, other.results)) : search.results;

/** Reports whether every repository with results has one commit. */
export const hasEveryCommit = (results: ResultFacts): boolean =>
  isAllWithin(results, sharedRepositories(results, results));

/** Reports whether both are known to be the same state of a file: they name the same commit. */
export const hasSameCommit = (left: FoundFile, right: FoundFile): boolean =>
  !left.isMixed && !right.isMixed && left.commit !== undefined && left.commit === right.commit;

/**
 * Reports whether some of the searches were sent before this one, and some after it. Without commits, nothing else is
 * known about the state of a search.
 */
export const isBetween = ({ sentAtMicros }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((search) => search.sentAtMicros <= sentAtMicros) &&
  searches.some((search) => search.sentAtMicros >= sentAtMicros);

/** The reason why searches in different states are not compared, with advice. */
export const differentStateReason = (times: number): string =>
  `the searches saw different states of the index, although they were sent ${times} times: they name different commits, or find different results each time; run again while the index does not change`;

/** The reason why an incomplete search is not compared, with advice. */
export const incompleteReason = (times: number): string =>
  `a search reported a problem, or omitted results for a reason that may be temporary, although it was sent ${times} times; run again`;

/** The reason why none of these searches is known to have seen the same state as this one. */
export const reasonUnknown = (one: UsableSearch, searches: readonly UsableSearch[]): string =>
  searches.some(({ results }) => compareStates(results, one.results) === "other")
    ? differentStateReason(timesSent([one, ...searches]))
    : notCompared.unknownState;

/** The reasons why searches are not compared, each with advice. */
export const notCompared = {
  unknownState:
    "it is unknown whether the searches saw the same state of the index: one of them found nothing or named no commit; choose a `--query` that finds content",
  unidentified: "matches do not name what they match; choose a `--query` that finds content",
  sameReading:
    "the query finds the same with any `t` and `patternType:`; either this target ignores both, or the searched files show no difference; choose a `--query` that finds lines of code",
  limited: "a search stopped at a limit; choose a `--query` that finds fewer matches",
} as const;
