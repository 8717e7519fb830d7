import { LineBudget } from "./line-budget.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { MatchLines } from "../../engine/matches/match.ts";

/** Maximum number of compared line matches of one event. One wrong pair is enough. */
const maxLines = 500;

/** Maximum length of compared lines. Some targets send different parts of longer lines under one number. */
const maxLineLength = 80;

/** Returns the text of a line match, if it is short enough to be the complete line. */
function shortLine(lines: MatchLines, line: number): string | undefined {
  const text = lines.text(line);
  return text !== undefined && text.length <= maxLineLength ? text.trimEnd() : undefined;
}

/** A line match and the previous one in the same content match, with known numbers and complete lines. */
interface LinePair {
  readonly number: number;
  readonly haveSameNumber: boolean;
  readonly texts: readonly [before: string, line: string];
}

/** Reports whether one of two texts is a part of the other. */
const isPart = (a: string, b: string): boolean => (a.length < b.length ? b.includes(a) : a.includes(b));

function readPair(lines: MatchLines, line: number): LinePair | undefined {
  const [before, text] = [shortLine(lines, line - 1), shortLine(lines, line)];
  const number = lines.number(line);
  // A part of a line, or the end of a cut line, may have the number of the complete line.
  const isConclusive = before !== undefined && text !== undefined && !isPart(before, text);
  return isConclusive && number !== undefined
    ? { number, haveSameNumber: lines.number(line - 1) === number, texts: [before, text] }
    : undefined;
}

/**
 * Different lines of a file have different numbers. Each line match is compared with the previous one, which detects a
 * constant number. Reports at most one violation per event. Source: search-stream, section 2.3.
 */
export const linesHaveTheirOwnNumbers = defineStreamRule({
  id: "stream/lines-have-their-own-numbers",
  start: () => new LineBudget(maxLines),
  on: {
    match(budget, match, report) {
      if (match.index === 0) {
        budget.startEvent();
      }
      const { lines } = match;
      const count = match.type === "content" && lines.count > 1 ? budget.take(lines.count - 1) : 0;
      for (let line = 1; line <= count; line += 1) {
        const pair = readPair(lines, line);
        report.observation(Number(pair !== undefined));
        if (pair?.haveSameNumber === true) {
          const [before, text] = pair.texts;
          const message = `two lines of a file have the number ${pair.number}: \`${formatValue(before)}\` and \`${formatValue(text)}\``;
          report.violation({ message, ...match.position(`/lineMatches/${line}/lineNumber`) });
          budget.endEvent();
          return;
        }
      }
    },
  },
});
