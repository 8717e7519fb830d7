import { literalWordInQuery } from "../../engine/literal-word.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, findChunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { ChunkPair, FilePair } from "../../engine/compare/chunk-pairs.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { textLines } from "../../engine/compare/text-lines.ts";

/** Maximum number of checked files, and of checked chunk matches in a file. One wrong number is enough. */
const maxFiles = 100;
const maxChunks = 50;

/** Characters that only some programs treat as line ends, so that lines can be counted differently. */
// Stryker disable next-line Regex: the opposite of `\v` is no regular expression, and would keep the module from loading.
const ambiguousLineEnd = /[\v\f\u0085\u2028\u2029]|\r(?!\n|$)/u;

/** Returns the line of a line match, without its end. It returns undefined if the text is not exactly one line. */
function toSingleLine(text: string | undefined): string | undefined {
  const [line, ...remaining] = textLines(text ?? "");
  return text !== undefined && remaining.every((remainder) => remainder === "") ? line : undefined;
}

/**
 * Maps the text of lines that occur once in their file to their number. A complete search for one word returns each
 * line with the word, so a line that occurs once in the results occurs once in the file.
 */
function collectNumbers({ fileWithoutChunks }: FilePair, word: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  const repeatedLines = new Set<string>();
  for (const [number, text] of fileWithoutChunks.lines) {
    const line = toSingleLine(text);
    if (line === undefined || !line.toLowerCase().includes(word)) {
      continue;
    }
    if (numbers.has(line)) {
      repeatedLines.add(line);
    }
    numbers.set(line, number);
  }
  return new Map([...numbers].filter(([line]) => !repeatedLines.has(line)));
}

/** Reports whether two texts are different lines. The first and the last line of a chunk match may be cut. */
const areDifferentLines = (left: string, right: string): boolean =>
  left !== right && (left === "" || right === "" || !(left.startsWith(right) || right.startsWith(left)));

interface NumberEvidence {
  /** Number of lines whose numbers could be checked. */
  readonly judgedCount: number;
  /** A clause with the problem of the first wrong number. */
  readonly problem?: string;
}

/** A numbered line and its position among the lines of a chunk match. */
interface NumberedLine {
  readonly number: number;
  readonly lines: readonly string[];
  readonly index: number;
}

/** Returns a clause with the problem of a line number, according to its chunk match. */
function findProblem({ fileWithoutChunks }: FilePair, { number, lines, index }: NumberedLine): string | undefined {
  const line = `line ${number} of \`${formatValue(fileWithoutChunks.path)}\` (\`${formatValue(lines[index])}\`)`;
  if (index > number) {
    return `${line} comes after ${index} other lines`;
  }
  for (const step of [1, -1]) {
    const neighbourText = lines[index + step];
    const expectedText = toSingleLine(fileWithoutChunks.lines.get(number + step));
    if (neighbourText !== undefined && expectedText !== undefined && areDifferentLines(neighbourText, expectedText)) {
      const position = step === 1 ? "before" : "after";
      return `${line} comes ${position} \`${formatValue(neighbourText)}\`, and line ${number + step} is \`${formatValue(expectedText)}\``;
    }
  }
  return undefined;
}

/** Yields the lines in a file's chunk matches that have known numbers and neighbours. */
function* findNumberedLines(pair: FilePair, word: string): Generator<NumberedLine> {
  const numbers = collectNumbers(pair, word);
  for (const text of pair.chunkedFile.chunkTexts.slice(0, maxChunks)) {
    const allLines = ambiguousLineEnd.test(text) ? [] : textLines(text);
    const lines = allLines.at(-1) === "" ? allLines.slice(0, -1) : allLines;
    for (const [index, line] of lines.entries()) {
      const number = numbers.get(line);
      if (number !== undefined && Number.isInteger(number) && lines.length > 1) {
        yield { number, lines, index };
      }
    }
  }
}

function gatherEvidence(pair: FilePair, word: string): NumberEvidence {
  let judgedCount = 0;
  for (const line of findNumberedLines(pair, word)) {
    judgedCount += 1;
    const problem = findProblem(pair, line);
    if (problem !== undefined) {
      return { judgedCount, problem };
    }
  }
  return { judgedCount };
}

/** Returns the single literal word of a pair of searches, if any. */
const readWord = ({ searchWithoutChunks: { search } }: ChunkPair): string | undefined =>
  literalWordInQuery(search.parameters.get("q") ?? "", search.parameters.get("t"));

/**
 * A line is at its number in the file: the lines around it in a chunk match have the numbers before and after it. It is
 * unspecified whether numbers start at 0 or 1. Detects numbers that count the line matches. Source: search-stream,
 * section 2.3.
 */
export const lineNumbersFitChunks = defineComparison({
  id: "stream/line-numbers-fit-chunks",
  ...byChunks,
  judge(group, reportFor) {
    for (const pair of findChunkPairs(group)) {
      const word = readWord(pair);
      const evidence =
        word === undefined ? [] : pair.files.slice(0, maxFiles).map((file) => gatherEvidence(file, word));
      const report = reportFor(pair.chunkedSearch.id);
      report.observation(evidence.reduce((sum, { judgedCount }) => sum + judgedCount, 0));
      if (pair.notComparedReason !== undefined) {
        report.notTested(pair.notComparedReason);
      }
      const problem = evidence.find((item) => item.problem !== undefined)?.problem;
      if (problem !== undefined) {
        const message = `the lines of search ${pair.searchWithoutChunks.id} have different numbers from their file: in search ${pair.chunkedSearch.id} ${problem}`;
        report.violation({ message });
      }
    }
  },
});
