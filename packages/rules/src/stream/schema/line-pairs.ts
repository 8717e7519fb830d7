import type { RuleId } from "@assay/contract";
import { LineBudget } from "./line-budget.ts";
import { literalWordInSearch } from "../../engine/literal-word.ts";
import type { Match } from "../../engine/matches/match.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";

/**
 * Returns the single literal word of a search. It returns undefined if the search has none, or if `max-line-len` may
 * cut lines.
 */
const readWord = ({ exchange }: StreamContext): string | undefined =>
  searchQuery(exchange).has("max-line-len") ? undefined : literalWordInSearch(exchange);

/** A highlighted range of a line match, in an unspecified unit. */
interface LineRange {
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

/** Returns a clause that describes a wrong pair of offset and length, or undefined if the pair is correct. */
type FindProblem = (pair: LineRange, word: string) => string | undefined;

function judgeLine(match: Match, line: number, inputs: JudgeInputs): void {
  const { state, report, findProblem } = inputs;
  const text = match.lines.text(line);
  const count = text === undefined ? 0 : match.lines.pairCount(line);
  for (let pairIndex = 0; pairIndex < count; pairIndex += 1) {
    // `stream/content-match-fits-schema` reports values that are not pairs of integers.
    const [offset, length] = match.lines.pair(line, pairIndex) ?? [];
    if (text === undefined || offset === undefined || length === undefined) {
      continue;
    }
    report.observation();
    const problem = state.isReported ? undefined : findProblem({ line: text, offset, length }, state.word);
    if (problem !== undefined) {
      state.isReported = true;
      const message = `the pair of offset ${offset} and length ${length} ${problem}`;
      report.violation({ message, ...match.position(`/lineMatches/${line}/offsetAndLengths/${pairIndex}`) });
    }
  }
}

interface JudgeInputs {
  readonly state: State;
  readonly report: Reporter;
  readonly findProblem: FindProblem;
}

/** Defines a rule about the pairs of offset and length in searches for a single literal word. */
const linePairsRule = (id: RuleId, findProblem: FindProblem): StreamRule =>
  defineStreamRule<State>({
    id,
    appliesTo: (context) => readWord(context) !== undefined,
    start: (context) => ({ word: readWord(context) ?? "", budget: new LineBudget(maxLines), isReported: false }),
    on: {
      match(state, match, report) {
        if (match.index === 0) {
          state.budget.startEvent();
          state.isReported = false;
        }
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

function staysInLine({ line, offset, length }: LineRange): boolean {
  const end = offset + length - allowanceBytes;
  // A line has at least as many bytes as UTF-16 units. Counting bytes is slow.
  return offset >= 0 && length >= 0 && (end <= line.length || end <= Buffer.byteLength(line));
}

const describeOverrun = (pair: LineRange): string | undefined =>
  staysInLine(pair) ? undefined : `ends beyond its line, which has ${Buffer.byteLength(pair.line)} bytes`;

/**
 * Marked ranges are within their line, in any unit. Only searches for a single literal word are checked, because such a
 * word is found within one line. Reports at most one violation per event. Source: search-stream, section 2.3.
 */
export const linePairsStayInTheLine = linePairsRule("stream/line-pairs-stay-in-the-line", describeOverrun);

/** Returns the marked text in each possible unit of an offset. */
function markedTexts({ line, offset, length }: LineRange): readonly string[] {
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

function describeWrongText(pair: LineRange, word: string): string | undefined {
  // `stream/line-pairs-stay-in-the-line` reports pairs that end beyond their line.
  const isJudged = staysInLine(pair) && pair.line.toLowerCase().includes(word);
  return isJudged && !markedTexts(pair).some((text) => containsWord(text, word))
    ? `does not mark \`${word}\`, although the line contains it`
    : undefined;
}

/**
 * In a search for a single literal word, the marked text is that word or a longer word that contains it. A line without
 * the word was found for a different reason, so it is skipped. Reports at most one violation per event. This is
 * plausible, but not required. Source: search-stream, section 2.3.
 */
export const linePairsMarkTheWord = linePairsRule("stream/line-pairs-mark-the-word", describeWrongText);
