import { wordOfQuery } from "../../engine/literal-word.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, chunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { ChunkPair, FilePair } from "../../engine/compare/chunk-pairs.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { textLines } from "../../engine/compare/text-lines.ts";

/** Maximum number of checked files and chunk matches: one wrong number is enough. */
const maxFiles = 100;
const maxChunks = 50;

/** Line ends for only some readers: they make two ways of counting lines. */
const otherLineEnd = /[\v\f\u0085\u2028\u2029]|\r(?!\n|$)/u;

/** The line of a line match, without its end; undefined if the text is not exactly one line. */
function oneLine(text: string | undefined): string | undefined {
  const [line, ...more] = textLines(text ?? "");
  return text !== undefined && more.every((rest) => rest === "") ? line : undefined;
}

/**
 * Numbers of lines that occur once in their file, by their text. A complete search for one word shows each line with
 * the word, so a line without another copy in the results has none.
 */
function numbersOf({ plain }: FilePair, word: string): ReadonlyMap<string, number> {
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
const areTwoLines = (one: string, other: string): boolean =>
  one !== other && (one === "" || other === "" || !(one.startsWith(other) || other.startsWith(one)));

interface Evidence {
  /** Lines whose numbers could have been proven wrong. */
  readonly judged: number;
  /** The problem of the first wrong one, one clause. */
  readonly fault?: string;
}

/** A numbered line and its position among the lines of a chunk match. */
interface PlacedLine {
  readonly number: number;
  readonly lines: readonly string[];
  readonly at: number;
}

/** The problem of a line number by its chunk match, one clause. */
function faultAt({ plain }: FilePair, { number, lines, at }: PlacedLine): string | undefined {
  const line = `line ${number} of \`${formatValue(plain.path)}\` (\`${formatValue(lines[at])}\`)`;
  if (at > number) {
    return `${line} comes after ${at} other lines`;
  }
  for (const step of [1, -1]) {
    const shown = lines[at + step];
    const numbered = oneLine(plain.lines.get(number + step));
    if (shown !== undefined && numbered !== undefined && areTwoLines(shown, numbered)) {
      const where = step === 1 ? "before" : "after";
      return `${line} comes ${where} \`${formatValue(shown)}\`, and line ${number + step} is \`${formatValue(numbered)}\``;
    }
  }
  return undefined;
}

/** The lines of the chunk matches of a file with known numbers and neighbours. */
function* placedLines(pair: FilePair, word: string): Generator<PlacedLine> {
  const numbers = numbersOf(pair, word);
  for (const text of pair.chunked.chunks.slice(0, maxChunks)) {
    const all = otherLineEnd.test(text) ? [] : textLines(text);
    const lines = all.at(-1) === "" ? all.slice(0, -1) : all;
    for (const [at, line] of lines.entries()) {
      const number = numbers.get(line);
      if (number !== undefined && Number.isInteger(number) && lines.length > 1) {
        yield { number, lines, at };
      }
    }
  }
}

function evidenceOf(pair: FilePair, word: string): Evidence {
  let judged = 0;
  for (const placed of placedLines(pair, word)) {
    judged += 1;
    const fault = faultAt(pair, placed);
    if (fault !== undefined) {
      return { judged, fault };
    }
  }
  return { judged };
}

/** The one plain word of a pair of searches, if any. */
const wordOf = ({ plain: { search } }: ChunkPair): string | undefined =>
  wordOfQuery(search.parameters.get("q") ?? "", search.parameters.get("t"));

/**
 * A line is at its number in the file: the lines around it in a chunk match have the numbers before and after it.
 * Whether numbers start at 0 or 1 is unspecified. Detects numbers that count the line matches. Source: search-stream,
 * section 2.3.
 */
export const lineNumbersFitChunks = defineComparison({
  id: "stream/line-numbers-fit-chunks",
  ...byChunks,
  judge(group, reportFor) {
    for (const pair of chunkPairs(group)) {
      const word = wordOf(pair);
      const evidence = word === undefined ? [] : pair.files.slice(0, maxFiles).map((file) => evidenceOf(file, word));
      const report = reportFor(pair.chunked.id);
      report.observation(evidence.reduce((sum, { judged }) => sum + judged, 0));
      if (pair.why !== undefined) {
        report.notTested(pair.why);
      }
      const fault = evidence.find((one) => one.fault !== undefined)?.fault;
      if (fault !== undefined) {
        const message = `the lines of search ${pair.plain.id} have other numbers than in their file: in search ${pair.chunked.id} ${fault}`;
        report.violation({ message });
      }
    }
  },
});
