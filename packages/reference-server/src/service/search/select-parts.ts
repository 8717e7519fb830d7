import type { SelectedPart } from "../query/search-query.ts";
import type { SearchResult } from "./search-result.ts";

type PartSelector = (result: SearchResult) => SearchResult | undefined;

const isInFile = (result: SearchResult): result is Extract<SearchResult, { kind: "content" | "path" | "symbol" }> =>
  result.kind === "content" || result.kind === "path" || result.kind === "symbol";

const selectFile: PartSelector = (result) => {
  if (!isInFile(result)) {
    return undefined;
  }
  const { file, repository } = result;
  return { kind: "path", repository, file, pathSpans: result.kind === "symbol" ? [] : result.pathSpans };
};

const selectSymbols =
  (kind: string | undefined): PartSelector =>
  (result) => {
    if (result.kind !== "symbol") {
      return undefined;
    }
    const symbols = result.symbols.filter((symbol) => kind === undefined || symbol.kind.toLowerCase() === kind);
    return symbols.length > 0 ? { ...result, symbols } : undefined;
  };

const createSelector = (part: SelectedPart): PartSelector => {
  switch (part.kind) {
    case "repo":
      return ({ repository }) => ({ kind: "repo", repository, nameSpans: [] });
    case "file":
      return selectFile;
    case "symbol":
      return selectSymbols(part.symbolKind);
    case "content":
    case "commit":
    case "diff":
      return (result) => (result.kind === part.kind ? result : undefined);
  }
};

/** Returns the key that duplicate results share, or undefined for results without duplicates. */
const findDuplicateKey = (result: SearchResult): string | undefined => {
  switch (result.kind) {
    case "repo":
      return "";
    case "path":
      return result.file.path;
    case "content":
    case "symbol":
    case "commit":
    case "diff":
      return undefined;
  }
};

/**
 * Reduces results to the part that `select:` selects. Repositories and files occur once. Results without the part are omitted. If no part
 * is selected, results are unchanged.
 */
export async function* selectParts(
  groups: AsyncIterable<readonly SearchResult[]>,
  part: SelectedPart | undefined,
): AsyncGenerator<readonly SearchResult[]> {
  const selector = part === undefined ? undefined : createSelector(part);
  const seenKeys = new Set<string>();
  const isNew = (result: SearchResult): boolean => {
    const duplicateKey = findDuplicateKey(result);
    const isKnown = duplicateKey !== undefined && seenKeys.has(duplicateKey);
    if (duplicateKey !== undefined) {
      seenKeys.add(duplicateKey);
    }
    return !isKnown;
  };
  for await (const group of groups) {
    yield selector === undefined
      ? group
      : group
          .map(selector)
          .filter((result) => result !== undefined)
          .filter(isNew);
  }
}
