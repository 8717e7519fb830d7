import type { Repository } from "../../repositories/repository.ts";
import { noContext } from "../../ripgrep/context-lines.ts";
import type { SearchQuery } from "../../query/search-query.ts";
import { planSearch } from "../../search/plan-search.ts";
import { itemCount } from "../../search/search-result.ts";
import type { SearchResult } from "../../search/search-result.ts";
import { searchRepositories } from "../../search/search-repository.ts";
import type { SearchContext } from "../../search/search-context.ts";

/** A file with matches. */
export interface FoundFile {
  readonly repository: Repository;
  readonly path: string;
  readonly hitCount: number;
}

export interface FindFilesOptions extends SearchContext {
  /** Terms, all of which a file must contain. */
  readonly terms: readonly string[];
  readonly repositories: readonly Repository[];
  /** Number of files after which the search stops. */
  readonly maxFiles: number;
  /** Called with the size of the output. */
  readonly onBytes: (bytes: number) => void;
}

const createQuery = (texts: readonly string[]): SearchQuery => {
  const terms = texts.map((text) => ({ kind: "literal", text }) as const);
  const noFilter = { include: [], exclude: [] };
  return {
    expression: { kind: "and", parts: terms.map((term) => ({ kind: "term", term })) },
    terms,
    caseSensitive: false,
    repo: noFilter,
    file: noFilter,
    lang: noFilter,
    types: new Set(["file"]),
  };
};

const countBytes = (result: SearchResult): number =>
  result.kind === "content" ? result.lines.reduce((sum, { bytes }) => sum + bytes.length, 0) : 0;

/** Finds files that contain all terms, ignoring case. Results are sorted by repository, then by path. */
export const findFiles = async (options: FindFilesOptions): Promise<readonly FoundFile[]> => {
  const { maxFiles, onBytes, pool, repositories, signal, terms } = options;
  const plan = await planSearch(createQuery(terms), repositories, { pool, signal });
  const foundFiles: FoundFile[] = [];
  const search = { plan, context: noContext, limit: maxFiles, pool, signal, onSearched: () => undefined };
  for await (const results of searchRepositories(search)) {
    for (const result of results) {
      if (result.kind === "content") {
        onBytes(countBytes(result));
        foundFiles.push({ repository: result.repository, path: result.file.path, hitCount: itemCount(result) });
      }
    }
    if (foundFiles.length >= maxFiles) {
      break;
    }
  }
  signal.throwIfAborted();
  return foundFiles.slice(0, maxFiles);
};
