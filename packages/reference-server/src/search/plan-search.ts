import { tmpdir } from "node:os";
import type { SearchQuery, Selection } from "../query/search-query.ts";
import type { Repository, TrackedFile } from "../repositories/repository.ts";
import { matchNames } from "../ripgrep/match-names.ts";
import { runRipgrep } from "../ripgrep/run-ripgrep.ts";
import type { SearchSurroundings } from "./search-surroundings.ts";

/** One repository that the filters leave over, with the files they leave over. */
export interface RepositoryScope {
  readonly repository: Repository;
  readonly files: readonly TrackedFile[];
}

/** Which kinds of results a query asks for. */
interface WantedResults {
  readonly contents: boolean;
  readonly paths: boolean;
  readonly repositories: boolean;
}

export interface SearchPlan {
  readonly query: SearchQuery;
  readonly wanted: WantedResults;
  readonly scopes: readonly RepositoryScope[];
}

/**
 * With a `type:` filter, what it names (`file` means contents and paths). Without one, contents and paths; a query with no
 * text and no filter on files lists repositories.
 */
const wantedResults = ({ file, lang, terms, types }: SearchQuery): WantedResults => {
  if (types.size > 0) {
    const contents = types.has("file");
    return { contents, paths: contents || types.has("path"), repositories: types.has("repo") };
  }
  const onFiles = [file, lang].some(({ include, exclude }) => include.length + exclude.length > 0);
  const files = terms.length > 0 || onFiles;
  return { contents: files, paths: files, repositories: !files };
};

const selectNames = async (
  names: readonly string[],
  selection: Selection,
  options: SearchSurroundings & { readonly caseSensitive: boolean },
): Promise<ReadonlySet<string>> => {
  let left = names;
  for (const [patterns, keep] of [
    [selection.include, true],
    [selection.exclude, false],
  ] as const) {
    for (const pattern of patterns) {
      const matched = await matchNames({ ...options, pattern, names: left });
      left = left.filter((name) => matched.has(name) === keep);
    }
  }
  return new Set(left);
};

const selectFiles = async (
  { files }: Repository,
  { caseSensitive, file, lang }: SearchQuery,
  surroundings: SearchSurroundings,
): Promise<readonly TrackedFile[]> => {
  const inLanguage = files.filter(
    ({ language }) =>
      (lang.include.length === 0 || (language !== undefined && lang.include.includes(language))) &&
      (language === undefined || !lang.exclude.includes(language)),
  );
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
    const files = wanted.contents || wanted.paths ? await selectFiles(repository, query, surroundings) : [];
    scopes.push({ repository, files });
  }
  return { query, wanted, scopes };
};
