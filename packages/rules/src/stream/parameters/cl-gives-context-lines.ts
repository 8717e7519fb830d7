import { matchedLines } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, findChunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { ChunkPair, FilePair } from "../../engine/compare/chunk-pairs.ts";
import {
  findEdges,
  describeMissingContext,
  canRevealWrongContext,
  describeSurplusContext,
} from "../../engine/compare/context-lines.ts";
import type { Edges, MatchedFile } from "../../engine/compare/context-lines.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { hasSameCommit } from "../../engine/compare/same-state.ts";
import type { Search } from "../../engine/compare/search.ts";
import { textLines } from "../../engine/compare/text-lines.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Returns the number of context lines that a search requests (default: 1), or undefined if it is unknown. */
function requestedContext({ parameters }: Search): number | undefined {
  const text = parameters.get("cl") ?? "1";
  return /^\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

/** Returns the text of a line match without its line end, or undefined if the text is not exactly one nonempty line. */
function singleLine(lineText: string | undefined): string | undefined {
  const [line = "", ...remaining] = textLines(lineText ?? "");
  const isSingle = remaining.every((text) => text === "") && remaining.length < 2;
  return line !== "" && isSingle ? line : undefined;
}

/**
 * Returns the matched lines of a file and the lines of its chunk matches. It returns undefined if a line match has no
 * unique number, no text, or a text that no chunk match contains.
 */
function toMatchedFile({ fileWithoutChunks, chunkedFile }: FilePair): MatchedFile | undefined {
  const chunkLines = chunkedFile.chunkTexts.map(textLines);
  const chunkLineTexts = new Set(chunkLines.flat());
  const lines = matchedLines(fileWithoutChunks).map(([number, text]) => ({ number, text: singleLine(text) ?? "" }));
  const isUnambiguous = lines.every(
    ({ number, text }) => Number.isInteger(number) && chunkLineTexts.has(text) && text !== "",
  );
  return fileWithoutChunks.mayHaveMoreLines || !isUnambiguous
    ? undefined
    : { matchedLines: lines.sort((left, right) => left.number - right.number), chunkLines };
}

/** Facts about the same file from other searches. */
interface FileFacts {
  /** The pairs for the other searches with chunk matches. */
  readonly pairs: readonly ChunkPair[];
  /** All usable searches. */
  readonly searches: readonly UsableSearch[];
}

/** Returns the line numbers of a file in all searches that name the same commit. */
const collectLineNumbers = (
  { key, fileWithoutChunks }: FilePair,
  searches: readonly UsableSearch[],
): readonly number[] =>
  searches.flatMap(({ results }) => {
    const file = results.files.get(key);
    return file !== undefined && hasSameCommit(fileWithoutChunks, file) ? [...file.lines.keys()] : [];
  });

/** Returns the largest of the values that is greater than 0, or 0. */
const maximum = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);

/**
 * Finds the number of lines that other searches show at the edges of a file, by their chunk matches and line numbers.
 */
function findKnownEdges(pair: FilePair, matchedFile: MatchedFile, { pairs, searches }: FileFacts): Edges {
  const edges = pairs.flatMap(({ files }) =>
    files.flatMap((other) => {
      const file =
        other.key === pair.key && other.fileWithoutChunks.commit === pair.fileWithoutChunks.commit
          ? toMatchedFile(other)
          : undefined;
      return file === undefined ? [] : [findEdges(file)];
    }),
  );
  const numbers = collectLineNumbers(pair, searches);
  const [first, last] = [matchedFile.matchedLines[0], matchedFile.matchedLines.at(-1)];
  return {
    before: maximum([
      ...edges.map(({ before }) => before),
      ...numbers.map((number) => (first === undefined ? 0 : first.number - number)),
    ]),
    after: maximum([
      ...edges.map(({ after }) => after),
      ...numbers.map((number) => (last === undefined ? 0 : number - last.number)),
    ]),
  };
}

const maxExamples = 3;

interface ContextComparison {
  readonly isConclusive: boolean;
  readonly clauses: readonly string[];
}

function compareContext({ files }: ChunkPair, lines: number, facts: FileFacts): ContextComparison {
  const comparableFiles = files.flatMap((pair) => {
    const file = toMatchedFile(pair);
    return file === undefined
      ? []
      : [{ file: { ...file, edges: findKnownEdges(pair, file, facts) }, path: pair.fileWithoutChunks.path }];
  });
  const clauses = comparableFiles.flatMap(({ file, path }) =>
    [...describeSurplusContext(file, lines), ...describeMissingContext(file, lines)].map(
      (clause) => `${clause} in \`${formatValue(path)}\``,
    ),
  );
  // A detected violation is always an observation.
  return {
    isConclusive: clauses.length > 0 || comparableFiles.some(({ file }) => canRevealWrongContext(file, lines)),
    clauses,
  };
}

const noIsolatedMatchReason =
  "no search shows an isolated match with enough lines around it to reveal missing ones; choose a `--query` that finds single lines far from each other";

/**
 * A chunk match has as many lines around a match as `cl` requests, or one line if `cl` is absent. Source:
 * search-stream, section 4.
 */
export const clGivesContextLines = defineComparison({
  id: "stream/cl-gives-context-lines",
  ...byChunks,
  needsAllSearches: true,
  judge(group, reportFor, { allSearches: searches }) {
    const pairs = findChunkPairs(group);
    const allUsableSearches = toUsableSearches(searches);
    for (const pair of pairs) {
      const { searchWithoutChunks, chunkedSearch } = pair;
      const lines = requestedContext(chunkedSearch.search);
      if (lines === undefined) {
        continue;
      }
      const { isConclusive, clauses } = compareContext(pair, lines, {
        pairs: pairs.filter((other) => other !== pair),
        searches: allUsableSearches,
      });
      const report = reportFor(chunkedSearch.id);
      report.observation(Number(isConclusive));
      if (!isConclusive) {
        report.notTested(pair.notComparedReason ?? noIsolatedMatchReason);
      }
      if (clauses.length > 0) {
        const label = chunkedSearch.search.parameters.has("cl")
          ? `with \`cl=${lines}\``
          : "without `cl`, which defaults to 1,";
        const message = `search ${chunkedSearch.id} ${label} has different lines around the matches of search ${searchWithoutChunks.id}: ${clauses.slice(0, maxExamples).join(", ")}`;
        report.violation({ message });
      }
    }
  },
});
