import { tmpdir } from "node:os";
import type { ResultType, SearchQuery } from "../query/search-query.ts";
import type { Repository, TrackedFile } from "../repositories/repository.ts";
import { runRipgrep } from "../ripgrep/run-ripgrep.ts";
import type { SearchContext } from "./search-context.ts";
import { isLanguageSelected, selectNames } from "./select-names.ts";

/** A repository and its files that pass the filters. */
export interface RepositoryScope {
  readonly repository: Repository;
  readonly files: readonly TrackedFile[];
}

/** Requested kinds of results. */
export interface ResultKinds {
  readonly contents: boolean;
  readonly paths: boolean;
  readonly repositories: boolean;
  readonly symbols: boolean;
  /** Commits by message. */
  readonly commit: boolean;
  /** Commits by changed lines. */
  readonly diff: boolean;
}

export interface SearchPlan {
  readonly query: SearchQuery;
  readonly resultKinds: ResultKinds;
  readonly scopes: readonly RepositoryScope[];
}

const noResults: ResultKinds = {
  contents: false,
  paths: false,
  repositories: false,
  symbols: false,
  commit: false,
  diff: false,
};

/** Result types that the selected part requires. */
const selectTypes = ({ select, types }: SearchQuery): ReadonlySet<ResultType> =>
  types.size === 0 && (select?.kind === "symbol" || select?.kind === "commit" || select?.kind === "diff")
    ? new Set([select.kind])
    : types;

/**
 * Returns the kinds of results in `type:`, where `file` means contents and paths. Without `type:`, returns the kinds that `select:`
 * requires, or else contents and paths. A query without text and file filters lists repositories.
 */
const chooseResults = (query: SearchQuery): ResultKinds => {
  const types = selectTypes(query);
  if (types.size > 0) {
    const contents = types.has("file");
    return {
      contents,
      paths: contents || types.has("path"),
      repositories: types.has("repo"),
      symbols: types.has("symbol"),
      commit: types.has("commit"),
      diff: types.has("diff"),
    };
  }
  const { file, lang, terms } = query;
  const hasFileFilters = [file, lang].some(({ include, exclude }) => include.length + exclude.length > 0);
  const files = terms.length > 0 || hasFileFilters;
  return { ...noResults, contents: files, paths: files, repositories: !files };
};

/** Returns a plan without results, for a search with a timeout of 0. */
export const createEmptyPlan = (query: SearchQuery): SearchPlan => ({ query, resultKinds: noResults, scopes: [] });

const selectFiles = async (
  { files }: Repository,
  { caseSensitive, file, lang }: SearchQuery,
  context: SearchContext,
): Promise<readonly TrackedFile[]> => {
  const filesInLanguage = files.filter(({ language }) => isLanguageSelected(language, lang));
  const selectedPaths = await selectNames(
    filesInLanguage.map(({ path }) => path),
    file,
    { ...context, caseSensitive },
  );
  return filesInLanguage.filter(({ path }) => selectedPaths.has(path));
};

/** Validates every regular expression of the query before any result is sent. */
const checkPatterns = async ({ file, repo, terms }: SearchQuery, context: SearchContext): Promise<void> => {
  const filterPatterns = [repo, file].flatMap(({ include, exclude }) => [...include, ...exclude]);
  const termPatterns = terms.filter(({ kind }) => kind === "regexp").map(({ text }) => text);
  const patterns = [...filterPatterns, ...termPatterns].flatMap((pattern) => ["-e", pattern]);
  if (patterns.length > 0) {
    const run = runRipgrep({ args: ["--quiet", ...patterns, "--", "-"], cwd: tmpdir(), input: "", ...context });
    while ((await run.next()).done !== true) {
      // The result is irrelevant. Only the error matters.
    }
  }
};

/** Selects repositories and files by the filters. Throws RipgrepError for an invalid regular expression. */
export const planSearch = async (
  query: SearchQuery,
  repositories: readonly Repository[],
  context: SearchContext,
): Promise<SearchPlan> => {
  await checkPatterns(query, context);
  const resultKinds = chooseResults(query);
  const { caseSensitive } = query;
  const names = repositories.map(({ name }) => name);
  const selectedNames = await selectNames(names, query.repo, { ...context, caseSensitive });
  const scopes: RepositoryScope[] = [];
  for (const repository of repositories.filter(({ name }) => selectedNames.has(name))) {
    const files =
      resultKinds.contents || resultKinds.paths || resultKinds.symbols
        ? await selectFiles(repository, query, context)
        : [];
    scopes.push({ repository, files });
  }
  return { query, resultKinds, scopes };
};
