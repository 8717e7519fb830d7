import type { FoundFile } from "../found-file.ts";
import { formatValue } from "../format-value.ts";
import type { FoundItem } from "../result-draft.ts";
import type { ResultFacts } from "../result-facts.ts";
import { cachePerObject } from "../cache-per-object.ts";
import { isConclusiveLine, textLines } from "./text-lines.ts";

/** Results of one search that another search lacks. */
export interface MissingResults {
  readonly count: number;
  /** Describes the first three missing results. */
  readonly examples: readonly string[];
  /** Number of items that were compared. A missing one would have been noticed. */
  readonly comparedCount: number;
  /** Whether more results may be missing, because one of the searches returned matches without a name. */
  readonly isInconclusive: boolean;
}

interface MissingDraft {
  count: number;
  readonly examples: string[];
  comparedCount: number;
  isInconclusive: boolean;
}

const maxExamples = 3;

function compareItem(draft: MissingDraft, isPresent: boolean, describe: () => string): void {
  draft.comparedCount += 1;
  draft.count += Number(!isPresent);
  if (!isPresent && draft.examples.length < maxExamples) {
    draft.examples.push(describe());
  }
}

const hasOnlyChunks = ({ chunkTexts, lines, lacksChunkText }: FoundFile): boolean =>
  chunkTexts.length > 0 && lines.size === 0 && !lacksChunkText;

/** Returns the different lines in the chunk matches of a file. Cached. */
const chunkLinesOf = cachePerObject(
  ({ chunkTexts }: FoundFile): ReadonlySet<string> => new Set(chunkTexts.flatMap(textLines)),
);

/** Compares lines by their text, because chunk matches have no specified numbers. Their division into chunks is ignored. */
function compareChunkLines(draft: MissingDraft, file: FoundFile, baseline: FoundFile): void {
  const shownLines = chunkLinesOf(file);
  for (const line of chunkLinesOf(baseline)) {
    if (isConclusiveLine(line)) {
      compareItem(
        draft,
        shownLines.has(line),
        () => `the line \`${formatValue(line)}\` of \`${formatValue(file.path)}\``,
      );
    }
  }
}

function compareLines(draft: MissingDraft, file: FoundFile, baseline: FoundFile): void {
  if (hasOnlyChunks(file) && hasOnlyChunks(baseline)) {
    compareChunkLines(draft, file, baseline);
  }
  if (file.mayHaveMoreLines || baseline.mayHaveMoreLines) {
    draft.isInconclusive ||= file.mayHaveMoreLines !== baseline.mayHaveMoreLines;
    return;
  }
  for (const number of baseline.lines.keys()) {
    compareItem(draft, file.lines.has(number), () => `line ${number} of \`${formatValue(file.path)}\``);
  }
}

const describeFile = ({ path, repository }: FoundFile): string =>
  `\`${formatValue(path)}\` of ${formatValue(repository)}`;

const describeItem = ({ type, repository, subject }: FoundItem): string =>
  `the ${formatValue(type)} match ${subject === "" ? "" : `\`${formatValue(subject)}\` of `}${formatValue(repository)}`;

/**
 * Finds results of `baseline` that a search lacks: files, lines of files with line numbers in both, and matches of
 * other types. Ignores counts, order and the division into elements and events. A match without a subject may be any
 * match of its type.
 */
export function findMissing(results: ResultFacts, baseline: ResultFacts): MissingResults {
  const isInconclusive = results.unidentifiedCounts.size + baseline.unidentifiedCounts.size > 0;
  const draft: MissingDraft = { count: 0, examples: [], comparedCount: 0, isInconclusive };
  for (const [key, file] of results.unidentifiedCounts.has("content")
    ? sharedFileEntries(results, baseline)
    : baseline.files) {
    const otherFile = results.files.get(key);
    compareItem(draft, otherFile !== undefined, () => describeFile(file));
    if (otherFile !== undefined) {
      compareLines(draft, otherFile, file);
    }
  }
  for (const [key, item] of baseline.otherItems) {
    if (!results.unidentifiedCounts.has(item.type)) {
      compareItem(draft, results.otherItems.has(key), () => describeItem(item));
    }
  }
  return draft;
}

const sharedFileEntries = (results: ResultFacts, { files }: ResultFacts): Iterable<readonly [string, FoundFile]> =>
  [...files].filter(([key]) => results.files.has(key));

/** Describes the missing results. */
export const describeMissing = ({ count, examples }: MissingResults): string =>
  `${examples.join(", ")}${count > examples.length ? ` and ${count - examples.length} more` : ""}`;

/** The difference between the results of a search and of `baseline`. */
export interface Difference {
  /** A clause that describes the difference, or undefined if no difference is certain. */
  readonly difference: string | undefined;
  /** Code of the difference. Meaningless if `clause` is undefined. */
  readonly code: "finds-less" | "finds-more" | "finds-other-things";
  /** Whether a difference may have gone unnoticed. */
  readonly isInconclusive: boolean;
}

/** Compares the results of two searches in both directions. */
export function compareResults(results: ResultFacts, baseline: ResultFacts): Difference {
  const missingResults = findMissing(results, baseline);
  const additionalResults = findMissing(baseline, results);
  const clauses = [
    ...(missingResults.count > 0 ? [`lacks ${describeMissing(missingResults)}`] : []),
    ...(additionalResults.count > 0 ? [`also has ${describeMissing(additionalResults)}`] : []),
  ];
  return {
    difference: clauses.length > 0 ? clauses.join(" and ") : undefined,
    code:
      additionalResults.count === 0 ? "finds-less" : missingResults.count === 0 ? "finds-more" : "finds-other-things",
    isInconclusive: missingResults.isInconclusive || additionalResults.isInconclusive,
  };
}
