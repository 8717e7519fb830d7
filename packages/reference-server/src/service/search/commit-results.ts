import type { CommitText } from "../commits/commit-text.ts";
import { listChangedLines, createDiffText } from "../commits/diff-text.ts";
import { readGitLog } from "../commits/git-log.ts";
import type { LoggedCommit } from "../commits/git-log.ts";
import { messageText } from "../commits/message-text.ts";
import { findPatchedPath, readPatch } from "../commits/read-patch.ts";
import type { FilePatch } from "../commits/read-patch.ts";
import { readConjunction, isSatisfied, listShownTerms } from "../query/expression.ts";
import type { Term } from "../query/expression.ts";
import type { SearchQuery } from "../query/search-query.ts";
import { findLanguage } from "../repositories/language-table.ts";
import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { matchTerms, findSpansInName } from "./match-terms.ts";
import type { TermMatches } from "./match-terms.ts";
import type { RepositorySearch } from "./repository-search.ts";
import type { SearchResult } from "./search-result.ts";
import { isLanguageSelected, selectNames } from "./select-names.ts";

type CommitKind = "commit" | "diff";

const escapeExtended = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/gu, String.raw`\$&`);

/**
 * Returns git options that exclude most non-matching commits. If every result must contain a literal, git searches for
 * the longest one. Only ASCII literals are used, because git folds case only in ASCII. The results are checked
 * afterwards.
 */
const createLimitingOptions = ({ caseSensitive, expression }: SearchQuery, kind: CommitKind): readonly string[] => {
  const literals = (readConjunction(expression) ?? []).filter(
    ({ kind: termKind, text }) => termKind === "literal" && /^[ -~]+$/u.test(text),
  );
  const longestLiteral = literals.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longestLiteral === undefined) {
    return [];
  }
  const caseOptions = caseSensitive ? [] : ["--regexp-ignore-case"];
  return kind === "commit"
    ? [...caseOptions, "--fixed-strings", `--grep=${longestLiteral.text}`]
    : [...caseOptions, "--pickaxe-all", `-G${escapeExtended(longestLiteral.text)}`];
};

/** A commit and its searched lines. */
interface SearchedCommit {
  readonly commit: LoggedCommit;
  readonly files: readonly FilePatch[];
  readonly lines: readonly string[];
}

const selectCommits = async (
  commits: readonly LoggedCommit[],
  kind: CommitKind,
  { plan, pool, signal }: RepositorySearch,
): Promise<readonly SearchedCommit[]> => {
  if (kind === "commit") {
    return commits.map((commit) => ({ commit, files: [], lines: commit.message.split("\n") }));
  }
  const { caseSensitive, file, lang } = plan.query;
  const patches = commits.map((commit) => ({ commit, filePatches: readPatch(commit.patch) }));
  const names = new Set(patches.flatMap(({ filePatches }) => filePatches.map(findPatchedPath)));
  const pathsInLanguage = [...names].filter((name) => isLanguageSelected(findLanguage(name), lang));
  const selectedPaths = await selectNames(pathsInLanguage, file, { caseSensitive, pool, signal });
  return patches
    .map(({ filePatches, commit }) => ({
      commit,
      files: filePatches.filter((filePatch) => selectedPaths.has(findPatchedPath(filePatch))),
    }))
    .filter(({ files }) => files.length > 0)
    .map(({ commit, files }) => ({ commit, files, lines: listChangedLines(files) }));
};

const hasTerm = (termMatches: TermMatches, { lines }: SearchedCommit, term: Term): boolean => {
  const matchesByLine = termMatches.get(term);
  return matchesByLine !== undefined && lines.some((line) => matchesByLine.has(line));
};

const createCommitText = (
  { commit, files }: SearchedCommit,
  query: SearchQuery,
  termMatches: TermMatches,
): CommitText => {
  const termsToFind = listShownTerms(query.expression);
  const findSpans = (line: string): readonly ByteSpan[] => findSpansInName(line, termMatches, termsToFind);
  // Message searches have no patches.
  return files.length === 0
    ? messageText(commit.message, findSpans)
    : createDiffText(files, termsToFind.length > 0 ? findSpans : undefined);
};

/**
 * Yields commits whose message (`commit`) or changed lines (`diff`) match the query, newest first. Matches each term
 * line by line, with the file-search engine. Different lines may satisfy different terms of the expression.
 */
export async function* findCommitResults(
  search: RepositorySearch,
  kind: CommitKind,
): AsyncGenerator<readonly SearchResult[]> {
  const { plan, pool, scope, signal } = search;
  const { commit, directory } = scope.repository;
  if (commit === undefined) {
    return;
  }
  const { caseSensitive, expression, terms } = plan.query;
  const patch = kind === "diff" ? ["--patch", "--unified=1"] : [];
  const options = [...patch, ...createLimitingOptions(plan.query, kind)];
  for await (const commits of readGitLog({ directory, commit, options, signal, pool })) {
    const searchedCommits = await selectCommits(commits, kind, search);
    const lines = [...new Set(searchedCommits.flatMap((searchedCommit) => searchedCommit.lines))].filter(
      (line) => line !== "",
    );
    const termMatches = await matchTerms({ terms, names: lines, caseSensitive, pool, signal });
    yield searchedCommits
      .filter((searchedCommit) => isSatisfied(expression, (term) => hasTerm(termMatches, searchedCommit, term)))
      .map((searchedCommit) => ({
        kind,
        repository: scope.repository,
        commit: searchedCommit.commit,
        text: createCommitText(searchedCommit, plan.query, termMatches),
      }));
  }
}
