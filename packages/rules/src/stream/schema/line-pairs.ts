import type { StreamEvent } from "@assay/stream-grammar";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { elementsOf, member } from "@assay/reading";
import { literalWordInSearch } from "../../engine/literal-word.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";

/** The plain word that a search looks for. Undefined if it looks for anything else, or if `max-line-len` may cut lines. */
const readWord = ({ exchange }: StreamContext): string | undefined =>
  searchQuery(exchange).has("max-line-len") ? undefined : literalWordInSearch(exchange);

/** A pair of a line match in a search for one plain word. */
interface LinePair {
  readonly line: string;
  readonly offset: number;
  readonly length: number;
  readonly pointer: string;
}

/** Maximum number of checked lines of one event. Wrong offsets are usually wrong everywhere. */
const maxLines = 1000;

function* pairsOfLine(lineMatch: unknown, pointer: string): Generator<LinePair> {
  const line = member(lineMatch, "line");
  if (typeof line !== "string") {
    return;
  }
  for (const [index, pair] of elementsOf(member(lineMatch, "offsetAndLengths")).entries()) {
    const [offset, length, ...additional] = elementsOf(pair);
    // `stream/content-match-fits-schema` reports values that are not pairs of integers.
    if (Number.isInteger(offset) && Number.isInteger(length) && additional.length === 0) {
      const pairPointer = `${pointer}/offsetAndLengths/${index}`;
      yield { line, offset: Number(offset), length: Number(length), pointer: pairPointer };
    }
  }
}

/** The pairs of the content matches of one event. */
function readPairs(event: StreamEvent): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let lines = 0;
  forEachMatch(event, (match, index) => {
    const lineMatches = lines < maxLines && member(match, "type") === "content" ? member(match, "lineMatches") : [];
    for (const [at, lineMatch] of elementsOf(lineMatches)
      .slice(0, maxLines - lines)
      .entries()) {
      lines += 1;
      pairs.push(...pairsOfLine(lineMatch, `/${index}/lineMatches/${at}`));
    }
  });
  return pairs;
}

/** Describes the first wrong pair of an event. Undefined if all are correct. */
type FindProblem = (pair: LinePair, word: string) => string | undefined;

function judge(
  word: string | undefined,
  findProblem: FindProblem,
  { event, report }: { event: StreamEvent; report: Reporter },
): void {
  const pairs = word === undefined ? [] : readPairs(event);
  report.observation(pairs.length);
  for (const pair of pairs) {
    const problem = findProblem(pair, word ?? "");
    if (problem !== undefined) {
      const message = `the pair of offset ${pair.offset} and length ${pair.length} ${problem}`;
      report.violation({ message, ...dataPosition(event, pair.pointer) });
      return;
    }
  }
}

/**
 * Allowance in bytes. It is unspecified whether positions start at 0 or 1, and whether the line end belongs to the
 * line.
 */
const allowanceBytes = 2;

const staysInLine = ({ line, offset, length }: LinePair): boolean =>
  offset >= 0 && length >= 0 && offset + length <= Buffer.byteLength(line) + allowanceBytes;

const describeOverrun = (pair: LinePair): string | undefined =>
  staysInLine(pair) ? undefined : `ends beyond its line, which has ${Buffer.byteLength(pair.line)} bytes`;

/**
 * Marked ranges are within their line, in any unit. Only searches for one plain word are checked, because such a word
 * is found within one line. Reports at most one violation per event. Source: search-stream, section 2.3.
 */
export const linePairsStayInTheLine = defineStreamRule({
  id: "stream/line-pairs-stay-in-the-line",
  start: readWord,
  on: {
    matches(word, event, report) {
      judge(word, describeOverrun, { event, report });
    },
  },
});

/** The marked text in each possible unit of an offset. */
function markedTexts({ line, offset, length }: LinePair): readonly string[] {
  const end = offset + length;
  const characters = Array.from(line);
  const utf16Text = line.slice(offset, end);
  // ASCII lines are the same in every unit.
  return Buffer.byteLength(line) === line.length
    ? [utf16Text]
    : [utf16Text, characters.slice(offset, end).join(""), Buffer.from(line).subarray(offset, end).toString()];
}

/** Reports whether a text is the word, or a longer word that contains it. */
const containsWord = (text: string, word: string): boolean =>
  text.toLowerCase().includes(word) && /^[\p{L}\p{N}_$-]*$/u.test(text);

function describeWrongText(pair: LinePair, word: string): string | undefined {
  // `stream/line-pairs-stay-in-the-line` reports pairs that end beyond their line.
  const isJudged = staysInLine(pair) && pair.line.toLowerCase().includes(word);
  return isJudged && !markedTexts(pair).some((text) => containsWord(text, word))
    ? `does not mark \`${word}\`, although the line contains it`
    : undefined;
}

/**
 * In a search for one plain word, the marked text is that word or a longer word that contains it. A line without the
 * word was found for a different reason, so it is skipped. Reports at most one violation per event. This is plausible,
 * but not required. Source: search-stream, section 2.3.
 */
export const linePairsMarkTheWord = defineStreamRule({
  id: "stream/line-pairs-mark-the-word",
  start: readWord,
  on: {
    matches(word, event, report) {
      judge(word, describeWrongText, { event, report });
    },
  },
});
