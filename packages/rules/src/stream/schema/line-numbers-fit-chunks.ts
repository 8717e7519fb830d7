import { wordOfQuery } from "../../engine/literal-word.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, chunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { ChunkPair, FilePair } from "../../engine/compare/chunk-pairs.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { textLines } from "../../engine/compare/text-lines.ts";

/** Maximum number of checked files and chunk matches. One wrong number is enough. */
const maxFiles = 100;
const maxChunks = 50;

/** Characters that only some programs treat as line ends, so that lines can be counted differently. */
const otherLineEnd = /[\v\f\u0085\u2028\u2029]|\r(?!\n|$)/u;

/** The line of a line match, without its end. Undefined if the text is not exactly one line. */
function oneLine(text: string | undefined): string | undefined {
  const [line, ...remaining] = textLines(text ?? "");
  return text !== undefined && remaining.every((text) => text === "") ? line : undefined;
}

/**
 * Maps the text of lines that occur once in their file to their number. A complete search for one word returns each
 * line with the word, so a line without a copy in the results has none in the file.
 */
function collectNumbers({ plain }: FilePair, word: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [number, text] of plain.lines) {
    const line = oneLine(text);
    if (line === undefined || !line.toLowerCase().includes(word)) {
      continue;
    }
    if (numbers.has(line)) {
      repeated.add(line);
    }
    numbers.set(line, number);
  }
  return new Map([...numbers].filter(([line]) => !repeated.has(line)));
}

/** Reports whether two texts are different lines. The first and the last line of a chunk match may be cut. */
const areDifferentLines = (left: string, right: string): boolean =>
  left !== right && (left === "" || right === "" || !(left.startsWith(right) || right.startsWith(left)));

interface Evidence {
  /** Number of lines whose numbers could be checked. */
  readonly judged: number;
  /** A clause with the problem of the first wrong number. */
  readonly problem?: string;
}

/** A numbered line and its position among the lines of a chunk match. */
interface PlacedLine {
  readonly number: number;
  readonly lines: readonly string[];
  readonly at: number;
}

/** A clause with the problem of a line number, according to its chunk match. */
function findProblem({ plain }: FilePair, { number, lines, at }: PlacedLine): string | undefined {
  const line = `line ${number} of \`${formatValue(plain.path)}\` (\`${formatValue(lines[at])}\`)`;
  if (at > number) {
    return `${line} comes after ${at} other lines`;
  }
  for (const step of [1, -1]) {
    const neighbour = lines[at + step];
    const numbered = oneLine(plain.lines.get(number + step));
    if (neighbour !== undefined && numbered !== undefined && areDifferentLines(neighbour, numbered)) {
      const where = step === 1 ? "before" : "after";
      return `${line} comes ${where} \`${formatValue(neighbour)}\`, and line ${number + step} is \`${formatValue(numbered)}\``;
    }
  }
  return undefined;
}

/** The lines of the chunk matches of a file that have known numbers and neighbours. */
function* placedLines(pair: FilePair, word: string): Generator<PlacedLine> {
  const numbers = collectNumbers(pair, word);
  for (const text of pair.chunked.chunks.slice(0, maxChunks)) {
    const allLines = otherLineEnd.test(text) ? [] : textLines(text);
    const lines = allLines.at(-1) === "" ? allLines.slice(0, -1) : allLines;
    for (const [at, line] of lines.entries()) {
      const number = numbers.get(line);
      if (number !== undefined && Number.isInteger(number) && lines.length > 1) {
        yield { number, lines, at };
      }
    }
  }
}

function gatherEvidence(pair: FilePair, word: string): Evidence {
  let judged = 0;
  for (const placed of placedLines(pair, word)) {
    judged += 1;
    const problem = findProblem(pair, placed);
    if (problem !== undefined) {
      return { judged, problem };
    }
  }
  return { judged };
}

/** The one plain word of a pair of searches, if any. */
const wordOf = ({ plain: { search } }: ChunkPair): string | undefined =>
  wordOfQuery(search.parameters.get("q") ?? "", search.parameters.get("t"));

/**
 * A line is at its number in the file: the lines around it in a chunk match have the numbers before and after it. It is
 * unspecified whether numbers start at 0 or 1. Detects numbers that count the line matches. Source: search-stream,
 * section 2.3.
 */
export const lineNumbersFitChunks = defineComparison({
  id: "stream/line-numbers-fit-chunks",
  ...byChunks,
  judge(group, reportFor) {
    for (const pair of chunkPairs(group)) {
      const word = wordOf(pair);
      const evidence =
        word === undefined ? [] : pair.files.slice(0, maxFiles).map((file) => gatherEvidence(file, word));
      const report = reportFor(pair.chunked.id);
      report.observation(evidence.reduce((sum, { judged }) => sum + judged, 0));
      if (pair.reason !== undefined) {
        report.notTested(pair.reason);
      }
      const problem = evidence.find((item) => item.problem !== undefined)?.problem;
      if (problem !== undefined) {
        const message = `the lines of search ${pair.plain.id} have different numbers from their file: in search ${pair.chunked.id} ${problem}`;
        report.violation({ message });
      }
    }
  },
});
