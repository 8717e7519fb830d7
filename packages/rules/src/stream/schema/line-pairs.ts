import type { RuleId } from "@assay/contract";
import { LineBudget } from "./line-budget.ts";
import { literalWordInSearch } from "../../engine/literal-word.ts";
import type { Match } from "../../engine/matches/match.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";

/** Returns the plain word that a search looks for. Undefined if it looks for anything else, or if `max-line-len` may cut lines. */
const readWord = ({ exchange }: StreamContext): string | undefined =>
  searchQuery(exchange).has("max-line-len") ? undefined : literalWordInSearch(exchange);

/** A pair of a line match in a search for one plain word. */
interface LinePair {
  readonly line: string;
  readonly offset: number;
  readonly length: number;
}

/** Maximum number of checked lines of one event. Wrong offsets are usually wrong everywhere. */
const maxLines = 1000;

interface State {
  readonly word: string;
  readonly budget: LineBudget;
  /** Whether a violation of the event was reported. */
  isReported: boolean;
}

/** Describes a wrong pair. Undefined if it is correct. */
type FindProblem = (pair: LinePair, word: string) => string | undefined;

function judgeLine(match: Match, line: number, judging: Judging): void {
  const { state, report, findProblem } = judging;
  const text = match.lines.text(line);
  const count = text === undefined ? 0 : match.lines.pairCount(line);
  for (let at = 0; at < count; at += 1) {
    // `stream/content-match-fits-schema` reports values that are not pairs of integers.
    const [offset, length] = match.lines.pair(line, at) ?? [];
    if (text === undefined || offset === undefined || length === undefined) {
      continue;
    }
    report.observation();
    const problem = state.isReported ? undefined : findProblem({ line: text, offset, length }, state.word);
    if (problem !== undefined) {
      state.isReported = true;
      const message = `the pair of offset ${offset} and length ${length} ${problem}`;
      report.violation({ message, ...match.position(`/lineMatches/${line}/offsetAndLengths/${at}`) });
    }
  }
}

interface Judging {
  readonly state: State;
  readonly report: Reporter;
  readonly findProblem: FindProblem;
}

/** Defines a rule about the pairs of content matches in searches for one plain word. */
const linePairsRule = (id: RuleId, findProblem: FindProblem): StreamRule =>
  defineStreamRule<State>({
    id,
    appliesTo: (context) => readWord(context) !== undefined,
    start: (context) => ({ word: readWord(context) ?? "", budget: new LineBudget(maxLines), isReported: false }),
    on: {
      matches(state) {
        state.budget.startEvent();
        state.isReported = false;
      },
      match(state, match, report) {
        const count = match.type === "content" ? state.budget.take(match.lines.count) : 0;
        for (let line = 0; line < count; line += 1) {
          judgeLine(match, line, { state, report, findProblem });
        }
      },
    },
  });

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
export const linePairsStayInTheLine = linePairsRule("stream/line-pairs-stay-in-the-line", describeOverrun);

/** Returns the marked text in each possible unit of an offset. */
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
export const linePairsMarkTheWord = linePairsRule("stream/line-pairs-mark-the-word", describeWrongText);
