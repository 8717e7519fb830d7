import { tmpdir } from "node:os";
import type { ResultType, SearchQuery } from "../query/search-query.ts";
import type { Repository, TrackedFile } from "../repositories/repository.ts";
import { runRipgrep } from "../ripgrep/run-ripgrep.ts";
import type { SearchSurroundings } from "./search-surroundings.ts";
import { isLanguageSelected, selectNames } from "./select-names.ts";

/** One repository that the filters leave over, with the files they leave over. */
export interface RepositoryScope {
  readonly repository: Repository;
  readonly files: readonly TrackedFile[];
}

/** Which kinds of results a query asks for. */
export interface WantedResults {
  readonly contents: boolean;
  readonly paths: boolean;
  readonly repositories: boolean;
  readonly symbols: boolean;
  /** Commits by message. */
  readonly commit: boolean;
  /** Commits by what they changed. */
  readonly diff: boolean;
}

export interface SearchPlan {
  readonly query: SearchQuery;
  readonly wanted: WantedResults;
  readonly scopes: readonly RepositoryScope[];
}

const nothing: WantedResults = {
  contents: false,
  paths: false,
  repositories: false,
  symbols: false,
  commit: false,
  diff: false,
};

/** Types without which the part that is selected could not be found. */
const typesOfPart = ({ select, types }: SearchQuery): ReadonlySet<ResultType> =>
  types.size === 0 && (select?.kind === "symbol" || select?.kind === "commit" || select?.kind === "diff")
    ? new Set([select.kind])
    : types;

/**
 * With a `type:` filter, what it names (`file` means contents and paths). Without one, what `select:` needs, otherwise contents
 * and paths; a query with no text and no filter on files lists repositories.
 */
const wantedResults = (query: SearchQuery): WantedResults => {
  const types = typesOfPart(query);
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
  const onFiles = [file, lang].some(({ include, exclude }) => include.length + exclude.length > 0);
  const files = terms.length > 0 || onFiles;
  return { ...nothing, contents: files, paths: files, repositories: !files };
};

/** A plan that finds nothing, for a search that has no time left. */
export const emptyPlan = (query: SearchQuery): SearchPlan => ({ query, wanted: nothing, scopes: [] });

const selectFiles = async (
  { files }: Repository,
  { caseSensitive, file, lang }: SearchQuery,
  surroundings: SearchSurroundings,
): Promise<readonly TrackedFile[]> => {
  const inLanguage = files.filter(({ language }) => isLanguageSelected(language, lang));
  const selected = await selectNames(
    inLanguage.map(({ path }) => path),
    file,
    { ...surroundings, caseSensitive },
  );
  return inLanguage.filter(({ path }) => selected.has(path));
};

/** Lets ripgrep read every regular expression of the query before any result is sent. */
const checkPatterns = async ({ file, repo, terms }: SearchQuery, surroundings: SearchSurroundings): Promise<void> => {
  const filterPatterns = [repo, file].flatMap(({ include, exclude }) => [...include, ...exclude]);
  const termPatterns = terms.filter(({ kind }) => kind === "regexp").map(({ text }) => text);
  const patterns = [...filterPatterns, ...termPatterns].flatMap((pattern) => ["-e", pattern]);
  if (patterns.length > 0) {
    const run = runRipgrep({ args: ["--quiet", ...patterns, "--", "-"], cwd: tmpdir(), input: "", ...surroundings });
    while ((await run.next()).done !== true) {
      // Quiet: there is nothing to read, only a complaint to wait for.
    }
  }
};

/**
 * Chooses repositories and files by the filters of a query. Throws RipgrepError when one of its regular expressions
 * cannot be read.
 */
export const planSearch = async (
  query: SearchQuery,
  repositories: readonly Repository[],
  surroundings: SearchSurroundings,
): Promise<SearchPlan> => {
  await checkPatterns(query, surroundings);
  const wanted = wantedResults(query);
  const { caseSensitive } = query;
  const names = repositories.map(({ name }) => name);
  const selected = await selectNames(names, query.repo, { ...surroundings, caseSensitive });
  const scopes: RepositoryScope[] = [];
  for (const repository of repositories.filter(({ name }) => selected.has(name))) {
    const files =
      wanted.contents || wanted.paths || wanted.symbols ? await selectFiles(repository, query, surroundings) : [];
    scopes.push({ repository, files });
  }
  return { query, wanted, scopes };
};
