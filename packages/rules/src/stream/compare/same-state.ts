import type { FoundFile } from "../../engine/found-file.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { timesSent } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/**
 * What two searches tell of the state of the index that each of them met. The same: all that they found is in repositories
 * of which both name one commit, and the same one. Other: they name different commits of a repository. Untold: anything else, also
 * where one of them found nothing.
 */
export type SharedState = "same" | "other" | "untold";

/** The commit of each repository in which anything was found; `undefined` where none was told, or several were. */
export function commitsOf({ files, others }: ResultFacts): ReadonlyMap<string, string | undefined> {
  const commits = new Map<string, Set<string | undefined>>();
  const take = (repository: string, commit: string | undefined): void => {
    commits.set(repository, (commits.get(repository) ?? new Set()).add(commit));
  };
  for (const { repository, commit, isMixed } of files.values()) {
    take(repository, isMixed ? undefined : commit);
  }
  for (const { repository, commit } of others.values()) {
    // Whether matches of other types tell it is left open, so one that does not takes nothing away.
    if (commit !== undefined || !commits.has(repository)) {
      take(repository, commit);
    }
  }
  return new Map([...commits].map(([repository, commits]) => [repository, only(commits)]));
}

function only(commits: ReadonlySet<string | undefined>): string | undefined {
  const [first] = commits;
  return commits.size === 1 ? first : undefined;
}

/** Repositories of which both searches name one commit, and the same one. */
export function sharedRepositories(one: ResultFacts, other: ResultFacts): ReadonlySet<string> {
  const others = commitsOf(other);
  return new Set(
    [...commitsOf(one)].flatMap(([repository, commit]) =>
      commit !== undefined && others.get(repository) === commit ? [repository] : [],
    ),
  );
}

const isIn =
  (repositories: ReadonlySet<string>) =>
  ([, { repository }]: readonly [string, { readonly repository: string }]): boolean =>
    repositories.has(repository);

/** What a search found in some repositories. Its highlights and its count stay those of the whole search. */
export const foundWithin = (results: ResultFacts, repositories: ReadonlySet<string>): ResultFacts => ({
  ...results,
  files: new Map([...results.files].filter(isIn(repositories))),
  others: new Map([...results.others].filter(isIn(repositories))),
  unidentified: new Map(),
});

const isAllWithin = ({ files, others, unidentified }: ResultFacts, repositories: ReadonlySet<string>): boolean =>
  unidentified.size === 0 && [...files, ...others].every(isIn(repositories));

/** What two searches tell of the state that they met. */
export function stateOf(one: ResultFacts, other: ResultFacts): SharedState {
  const others = commitsOf(other);
  const isOther = [...commitsOf(one)].some(([repository, commit]) => {
    const told = others.get(repository);
    return commit !== undefined && told !== undefined && told !== commit;
  });
  if (isOther) {
    return "other";
  }
  const shared = sharedRepositories(one, other);
  return shared.size > 0 && isAllWithin(one, shared) && isAllWithin(other, shared) ? "same" : "untold";
}

/** Those of the searches that are known to have met the state that this one met. */
export const inStateOf = (one: UsableSearch, searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ results }) => stateOf(results, one.results) === "same");

/** Whether any of the searches tells the commit of anything it found. */
export const isCommitTold = (searches: readonly UsableSearch[]): boolean =>
  searches.some(({ results: { files, others } }) =>
    [...files.values(), ...others.values()].some(({ commit }) => commit !== undefined),
  );

/** What of a search's results lies in repositories that another one knows at the same commit; all of it where none are told. */
export const comparablePart = (search: UsableSearch, other: UsableSearch, isTold: boolean): ResultFacts =>
  isTold ? foundWithin(search.results, sharedRepositories(search.results, other.results)) : search.results;

/** Whether every repository in which something was found has one commit. */
export const tellsEveryCommit = (results: ResultFacts): boolean =>
  isAllWithin(results, sharedRepositories(results, results));

/** Whether both are known to be the same state of a file: both tell the same commit. */
export const isKnownState = (one: FoundFile, other: FoundFile): boolean =>
  !one.isMixed && !other.isMixed && one.commit !== undefined && one.commit === other.commit;

/**
 * Whether some of the searches were sent before this one, and some after it. Where a target tells no commits, that is all
 * that can be known of the state that a search met.
 */
export const isBetween = ({ sentAtMicros }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((search) => search.sentAtMicros <= sentAtMicros) &&
  searches.some((search) => search.sentAtMicros >= sentAtMicros);

/** Why searches are not compared that met different states each of the times they were sent, and what to do. */
export const otherStateIn = (times: number): string =>
  `the searches met different states of the index, although they were sent ${times} times: they name other commits, or find other things each time; run again while the index is quiet`;

/** Why searches are not compared of which one was incomplete, however often they were sent, and what to do. */
export const incompleteIn = (times: number): string =>
  `a search told of a problem, or left something out for a reason that may be another one next time, although it was sent ${times} times; run again`;

/** Why it is not known of any of these searches that it met the state that this one met. */
export const whyUnknown = (one: UsableSearch, searches: readonly UsableSearch[]): string =>
  searches.some(({ results }) => stateOf(results, one.results) === "other")
    ? otherStateIn(timesSent([one, ...searches]))
    : notCompared.unknownState;

/** Why searches are not compared, each with what to do. */
export const notCompared = {
  unknownState:
    "nobody knows whether the searches met the same state of the index: one of them found nothing, or told no commit; choose a `--query` that finds content",
  unidentified: "matches do not say what they are matches of; choose a `--query` that finds content",
  sameReading:
    "every way to read the query finds the same, whatever `t` and `patternType:` ask for: either this target ignores both, or there is nothing in what was searched that tells them apart; choose a `--query` that finds lines of code",
  limited: "a search stopped at a limit; choose a `--query` that finds less",
} as const;
