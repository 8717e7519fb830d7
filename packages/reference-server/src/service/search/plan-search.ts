import { tmpdir } from "node:os";
import type { ResultType, SearchQuery } from "../query/search-query.ts";
import type { Repository, TrackedFile } from "../repositories/repository.ts";
import { runRipgrep } from "../ripgrep/run-ripgrep.ts";
import type { SearchContext } from "./search-context.ts";
import { isLanguageSelected, selectNames } from "./select-names.ts";

/** A repository and its files that match the filters. */
export interface RepositoryScope {
  readonly repository: Repository;
  readonly files: readonly TrackedFile[];
}

/** Kinds of results to return. */
export interface ResultKinds {
  readonly contents: boolean;
  readonly paths: boolean;
  readonly repositories: boolean;
  readonly symbols: boolean;
  /** Commits whose message matches. */
  readonly commit: boolean;
  /** Commits whose changed lines match. */
  readonly diff: boolean;
}

export interface SearchPlan {
  readonly query: SearchQuery;
  readonly resultKinds: ResultKinds;
  readonly scopes: readonly RepositoryScope[];
}

const noResultKinds: ResultKinds = {
  contents: false,
  paths: false,
  repositories: false,
  symbols: false,
  commit: false,
  diff: false,
};

/** Returns the types in `type:`, or the one that `select:` implies. */
const getRequestedTypes = ({ select, types }: SearchQuery): ReadonlySet<ResultType> =>
  types.size === 0 && (select?.kind === "symbol" || select?.kind === "commit" || select?.kind === "diff")
    ? new Set([select.kind])
    : types;

/**
 * Returns the kinds of results to search for.
 * - With `type:` or a `select:` that implies a type: that type. `file` stands for contents and paths.
 * - With text or file filters: contents and paths.
 * - With neither: repositories.
 */
const chooseResultKinds = (query: SearchQuery): ResultKinds => {
  const types = getRequestedTypes(query);
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
  return { ...noResultKinds, contents: files, paths: files, repositories: !files };
};

/** Returns a plan that finds nothing, for a search with a timeout of 0. */
export const createEmptyPlan = (query: SearchQuery): SearchPlan => ({ query, resultKinds: noResultKinds, scopes: [] });

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

/** Validates every regular expression in the query before any result is sent. */
const checkPatterns = async ({ file, repo, terms }: SearchQuery, context: SearchContext): Promise<void> => {
  const filterPatterns = [repo, file].flatMap(({ include, exclude }) => [...include, ...exclude]);
  const termPatterns = terms.filter(({ kind }) => kind === "regexp").map(({ text }) => text);
  const patterns = [...filterPatterns, ...termPatterns].flatMap((pattern) => ["-e", pattern]);
  if (patterns.length > 0) {
    const run = runRipgrep({ args: ["--quiet", ...patterns, "--", "-"], cwd: tmpdir(), input: "", ...context });
    while ((await run.next()).done !== true) {
      // Drain the output: only an error matters.
    }
  }
};

/** Selects the repositories and files that match the filters. Throws RipgrepError for an invalid regular expression. */
export const planSearch = async (
  query: SearchQuery,
  repositories: readonly Repository[],
  context: SearchContext,
): Promise<SearchPlan> => {
  await checkPatterns(query, context);
  const resultKinds = chooseResultKinds(query);
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
