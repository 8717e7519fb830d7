import type { CommitText } from "../commits/commit-text.ts";
import { changedLines, diffText } from "../commits/diff-text.ts";
import { gitLog } from "../commits/git-log.ts";
import type { LoggedCommit } from "../commits/git-log.ts";
import { messageText } from "../commits/message-text.ts";
import { patchedPath, readPatch } from "../commits/read-patch.ts";
import type { FilePatch } from "../commits/read-patch.ts";
import { conjunction, isSatisfied, wantedTerms } from "../query/expression.ts";
import type { Term } from "../query/expression.ts";
import type { SearchQuery } from "../query/search-query.ts";
import { languageOfPath } from "../repositories/language-table.ts";
import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { matchTerms, spansInName } from "./match-terms.ts";
import type { TermFinds } from "./match-terms.ts";
import type { RepositorySearch } from "./repository-search.ts";
import type { SearchResult } from "./search-result.ts";
import { isLanguageSelected, selectNames } from "./select-names.ts";

type CommitKind = "commit" | "diff";

const extendedPattern = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/gu, String.raw`\$&`);

/**
 * Returns options with which git excludes most commits: if every result must contain a literal, git searches for it. Only for ASCII,
 * because git ignores case only there. The results are checked afterwards.
 */
const limitingOptions = ({ caseSensitive, expression }: SearchQuery, kind: CommitKind): readonly string[] => {
  const literals = (conjunction(expression) ?? []).filter(
    ({ kind: termKind, text }) => termKind === "literal" && /^[ -~]+$/u.test(text),
  );
  const longest = literals.toSorted((one, other) => other.text.length - one.text.length)[0];
  if (longest === undefined) {
    return [];
  }
  const folding = caseSensitive ? [] : ["--regexp-ignore-case"];
  return kind === "commit"
    ? [...folding, "--fixed-strings", `--grep=${longest.text}`]
    : [...folding, "--pickaxe-all", `-G${extendedPattern(longest.text)}`];
};

/** A commit and its searched lines. */
interface SearchedCommit {
  readonly commit: LoggedCommit;
  readonly files: readonly FilePatch[];
  readonly lines: readonly string[];
}

const searchedParts = async (
  commits: readonly LoggedCommit[],
  kind: CommitKind,
  { plan, pool, signal }: RepositorySearch,
): Promise<readonly SearchedCommit[]> => {
  if (kind === "commit") {
    return commits.map((commit) => ({ commit, files: [], lines: commit.message.split("\n") }));
  }
  const { caseSensitive, file, lang } = plan.query;
  const patches = commits.map((commit) => ({ commit, all: readPatch(commit.patch) }));
  const names = new Set(patches.flatMap(({ all }) => all.map(patchedPath)));
  const inLanguage = [...names].filter((name) => isLanguageSelected(languageOfPath(name), lang));
  const selected = await selectNames(inLanguage, file, { caseSensitive, pool, signal });
  return patches
    .map(({ all, commit }) => ({ commit, files: all.filter((one) => selected.has(patchedPath(one))) }))
    .filter(({ files }) => files.length > 0)
    .map(({ commit, files }) => ({ commit, files, lines: changedLines(files) }));
};

const hasTerm = (found: TermFinds, { lines }: SearchedCommit, term: Term): boolean => {
  const inLines = found.get(term);
  return inLines !== undefined && lines.some((line) => inLines.has(line));
};

const createCommitText = ({ commit, files }: SearchedCommit, query: SearchQuery, found: TermFinds): CommitText => {
  const termsToFind = wantedTerms(query.expression);
  const spansIn = (line: string): readonly ByteSpan[] => spansInName(line, found, termsToFind);
  // A search of messages does not need patches.
  return files.length === 0
    ? messageText(commit.message, spansIn)
    : diffText(files, termsToFind.length > 0 ? spansIn : undefined);
};

/**
 * Yields commits whose message (`commit`) or changed lines (`diff`) match the query, newest first. Terms are matched line by line with
 * the engine used for files. The expression must match the whole commit.
 */
export async function* commitResults(
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
  const options = [...patch, ...limitingOptions(plan.query, kind)];
  for await (const commits of gitLog({ directory, commit, options, signal, pool })) {
    const parts = await searchedParts(commits, kind, search);
    const names = [...new Set(parts.flatMap(({ lines }) => lines))].filter((line) => line !== "");
    const termFinds = await matchTerms({ terms, names, caseSensitive, pool, signal });
    yield parts
      .filter((part) => isSatisfied(expression, (term) => hasTerm(termFinds, part, term)))
      .map((part) => ({
        kind,
        repository: scope.repository,
        commit: part.commit,
        text: createCommitText(part, plan.query, termFinds),
      }));
  }
}
