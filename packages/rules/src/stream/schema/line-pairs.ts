import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { literalWord } from "../../engine/literal-word.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";

/** The word of a search for one plain word whose lines come whole: `max-line-len` may cut them. */
const wordOf = ({ exchange }: StreamContext): string | undefined =>
  searchQuery(exchange).has("max-line-len") ? undefined : literalWord(exchange);

/** A pair of a line match in a search for one plain word. */
interface LinePair {
  readonly line: string;
  readonly offset: number;
  readonly length: number;
  readonly pointer: string;
}

/** Lines of one event that are looked at: one that is wrong about them is so about all. */
const maxLines = 1000;

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function* pairsOfLine(lineMatch: unknown, pointer: string): Generator<LinePair> {
  const line = member(lineMatch, "line");
  if (typeof line !== "string") {
    return;
  }
  for (const [index, pair] of arrayOf(member(lineMatch, "offsetAndLengths")).entries()) {
    const [offset, length, ...more] = arrayOf(pair);
    // What is no pair of integers has a rule of its own.
    if (Number.isInteger(offset) && Number.isInteger(length) && more.length === 0) {
      const place = `${pointer}/offsetAndLengths/${index}`;
      yield { line, offset: Number(offset), length: Number(length), pointer: place };
    }
  }
}

/** The pairs of the content matches of one event. */
function pairsOf(event: StreamEvent): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let lines = 0;
  eachMatch(event, (match, index) => {
    const lineMatches = lines < maxLines && member(match, "type") === "content" ? member(match, "lineMatches") : [];
    for (const [at, lineMatch] of arrayOf(lineMatches)
      .slice(0, maxLines - lines)
      .entries()) {
      lines += 1;
      pairs.push(...pairsOfLine(lineMatch, `/${index}/lineMatches/${at}`));
    }
  });
  return pairs;
}

/** What the first pair of an event that is wrong marks; `undefined` when all are right. */
type Fault = (pair: LinePair, word: string) => string | undefined;

function judge(
  word: string | undefined,
  faultOf: Fault,
  { event, report }: { event: StreamEvent; report: Reporter },
): void {
  const pairs = word === undefined ? [] : pairsOf(event);
  report.observation(pairs.length);
  for (const pair of pairs) {
    const fault = faultOf(pair, word ?? "");
    if (fault !== undefined) {
      const message = `the pair of offset ${pair.offset} and length ${pair.length} ${fault}`;
      report.violation({ message, ...dataOf(event, pair.pointer) });
      return;
    }
  }
}

/** Whether a place may count from 0 or 1, and the end of the line be a part of it, is left open. */
const slack = 2;

const isInside = ({ line, offset, length }: LinePair): boolean =>
  offset >= 0 && length >= 0 && offset + length <= Buffer.byteLength(line) + slack;

const wayOut = (pair: LinePair): string | undefined =>
  isInside(pair) ? undefined : `leads out of its line, which has ${Buffer.byteLength(pair.line)} bytes`;

/**
 * What is marked in a line is in the line, in whatever unit it is counted. Judged in searches for one plain word, which is
 * found within one line. At most one violation an event. Source: search-stream, section 2.3.
 */
export const linePairsStayInTheLine = defineStreamRule({
  id: "stream/line-pairs-stay-in-the-line",
  start: wordOf,
  on: {
    matches(word, event, report) {
      judge(word, wayOut, { event, report });
    },
  },
});

/** The marked text, as it is in each unit that an offset may be counted in. */
function markedTexts({ line, offset, length }: LinePair): readonly string[] {
  const end = offset + length;
  const characters = Array.from(line);
  const inUnits = line.slice(offset, end);
  // A line of ASCII alone is the same in every unit.
  return Buffer.byteLength(line) === line.length
    ? [inUnits]
    : [inUnits, characters.slice(offset, end).join(""), Buffer.from(line).subarray(offset, end).toString()];
}

/** Whether a text is the word, or a longer one around it. */
const isTheWord = (text: string, word: string): boolean =>
  text.toLowerCase().includes(word) && /^[\p{L}\p{N}_$-]*$/u.test(text);

function otherText(pair: LinePair, word: string): string | undefined {
  // Where a pair leads out of its line another rule speaks.
  const isJudged = isInside(pair) && pair.line.toLowerCase().includes(word);
  return isJudged && !markedTexts(pair).some((text) => isTheWord(text, word))
    ? `marks another text than \`${word}\`, which the line holds`
    : undefined;
}

/**
 * In a search for one plain word the marked text is that word, or a longer one around it. A line that does not hold it was
 * found in another way. At most one violation an event; plausible, but not promised. Source: search-stream, section 2.3.
 */
export const linePairsMarkTheWord = defineStreamRule({
  id: "stream/line-pairs-mark-the-word",
  start: wordOf,
  on: {
    matches(word, event, report) {
      judge(word, otherText, { event, report });
    },
  },
});
