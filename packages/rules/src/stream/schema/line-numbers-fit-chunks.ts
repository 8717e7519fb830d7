import { wordOfQuery } from "../../engine/literal-word.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, chunkPairs } from "../compare/chunk-pairs.ts";
import type { ChunkPair, FilePair } from "../compare/chunk-pairs.ts";
import { defineComparison } from "../compare/define-comparison.ts";
import { textLines } from "../compare/text-lines.ts";

/** Files and chunk matches of a file that are looked at: one number that is wrong is enough. */
const maxFiles = 100;
const maxChunks = 50;

/** What some readers take for the end of a line and others do not: then lines are counted in two ways. */
const otherLineEnd = /[\v\f\u0085\u2028\u2029]|\r(?!\n|$)/u;

/** The line that a line match shows, without its end; `undefined` where the text is not exactly one line. */
function oneLine(text: string | undefined): string | undefined {
  const [line, ...more] = textLines(text ?? "");
  return text !== undefined && more.every((rest) => rest === "") ? line : undefined;
}

/**
 * The numbers of lines that stand once in their file, by their text. A search for one word that came to its end shows each line that has
 * the word: one of which it shows no other copy has none.
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

/** Whether two texts are two lines. The first and the last one of a chunk match may be cut. */
const areTwoLines = (one: string, other: string): boolean =>
  one !== other && (one === "" || other === "" || !(one.startsWith(other) || other.startsWith(one)));

interface Evidence {
  /** Lines whose numbers could have been shown to be wrong. */
  readonly judged: number;
  /** What is wrong about the first of them that is, one clause. */
  readonly fault?: string;
}

/** A numbered line, and where it stands among the lines of a chunk match. */
interface PlacedLine {
  readonly number: number;
  readonly lines: readonly string[];
  readonly at: number;
}

/** What a chunk match shows about the number of a line in it, one clause. */
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

/** The lines of the chunk matches of a file whose numbers are known, and that have others next to them. */
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

/** The word that a pair of searches looks for, if it is one plain word. */
const wordOf = ({ plain: { search } }: ChunkPair): string | undefined =>
  wordOfQuery(search.parameters.get("q") ?? "", search.parameters.get("t"));

/**
 * A line stands in the file where its number says: the lines around it in a chunk match are those with the numbers before and after it.
 * Whether numbers count from 0 or 1 is left open. Shows numbers that count the line matches. Source: search-stream, section 2.3.
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
