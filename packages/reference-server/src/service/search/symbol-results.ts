import { listShownTerms } from "../query/expression.ts";
import type { FileHits } from "../ripgrep/file-hits.ts";
import { noContext } from "../ripgrep/context-lines.ts";
import { searchFiles } from "../ripgrep/search-files.ts";
import { findSymbols } from "../symbols/find-symbols.ts";
import { symbolPatterns } from "../symbols/symbol-patterns.ts";
import { findCandidates } from "./candidate-files.ts";
import { matchTerms, toPattern } from "./match-terms.ts";
import type { RepositorySearch } from "./repository-search.ts";
import type { SearchResult } from "./search-result.ts";

const maxHitsPerFile = 100_000;
/** Matches any line, for queries with only filters. */
const matchesAnything = ".+";

/**
 * Yields symbols whose names match the query, one result for each file with matching symbols, in path order. The files match the query by
 * path or content. Their symbols are matched with every shown term.
 */
export async function* findSymbolResults(search: RepositorySearch): AsyncGenerator<readonly SearchResult[]> {
  const { plan, pool, scope, signal } = search;
  const { repository } = scope;
  const { caseSensitive, expression, terms } = plan.query;
  const symbolFiles = scope.files.filter(({ language }) => language !== undefined && symbolPatterns.has(language));
  const filesByPath = new Map(symbolFiles.map((file) => [file.path, file]));
  const names = symbolFiles.map(({ path }) => path);
  const pathMatches = await matchTerms({ terms, names, caseSensitive, pool, signal });
  const query = plan.query;
  const candidates = await findCandidates({
    query,
    scope: { repository, files: symbolFiles },
    pathMatches,
    pool,
    signal,
  });
  const patterns = listShownTerms(expression).map(toPattern);
  const createResult = ({ isCut, lines, path }: FileHits): readonly SearchResult[] => {
    const file = filesByPath.get(path) ?? { path };
    const symbols = findSymbols(lines, file.language);
    return symbols.length > 0
      ? [{ kind: "symbol", repository, file, symbols, ...(isCut === true ? { isCut } : {}) }]
      : [];
  };
  const parts = searchFiles({
    patterns: patterns.length > 0 ? patterns : [matchesAnything],
    caseSensitive,
    paths: candidates.paths,
    directory: repository.directory,
    context: noContext,
    maxHitsPerFile,
    signal,
    pool,
  });
  for await (const { hits } of parts) {
    yield hits.flatMap(createResult);
  }
}
