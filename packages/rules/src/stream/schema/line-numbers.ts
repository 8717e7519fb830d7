import { elementsOf, member } from "@assay/reading";
import { dataPosition } from "../../engine/event-position.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { formatValue } from "../../engine/format-value.ts";

/** Maximum number of compared line matches of one event. One wrong pair is enough. */
const maxLines = 500;

/** Maximum length of compared lines. Some targets send different parts of longer lines under one number. */
const maxLineLength = 80;

/** The text of a line match, if it is short enough to be the complete line. */
function shortLine(lineMatch: unknown): string | undefined {
  const line = member(lineMatch, "line");
  return typeof line === "string" && line.length <= maxLineLength ? line.trimEnd() : undefined;
}

/** A line match and the previous one in the same content match, with known numbers and complete lines. */
interface LinePair {
  readonly number: number;
  readonly haveSameNumber: boolean;
  readonly lines: readonly [before: string, line: string];
}

function readPair(previousMatch: unknown, lineMatch: unknown): LinePair | undefined {
  const [first, second] = [shortLine(previousMatch), shortLine(lineMatch)];
  const number = member(lineMatch, "lineNumber");
  // A part of a line, or the end of a cut line, may have the number of the complete line.
  const isConclusive =
    first !== undefined && second !== undefined && !first.includes(second) && !second.includes(first);
  return isConclusive && typeof number === "number"
    ? { number, haveSameNumber: member(previousMatch, "lineNumber") === number, lines: [first, second] }
    : undefined;
}

/**
 * Different lines of a file have different numbers. Each line match is compared with the previous one, which detects a
 * constant number. Reports at most one violation per event. Source: search-stream, section 2.3.
 */
export const linesHaveTheirOwnNumbers = defineStreamRule({
  id: "stream/lines-have-their-own-numbers",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      const matches = elementsOf(event.value);
      let remaining = maxLines;
      let comparedCount = 0;
      let isReported = false;
      for (let index = 0; index < matches.length && remaining > 0 && !isReported; index += 1) {
        const match = matches[index];
        const lines = member(match, "type") === "content" ? elementsOf(member(match, "lineMatches")) : [];
        for (let at = 1; at < lines.length && remaining > 0 && !isReported; at += 1) {
          remaining -= 1;
          const pair = readPair(lines[at - 1], lines[at]);
          comparedCount += Number(pair !== undefined);
          if (pair?.haveSameNumber === true) {
            const [before, line] = pair.lines;
            const message = `two lines of a file have the number ${pair.number}: \`${formatValue(before)}\` and \`${formatValue(line)}\``;
            report.violation({ message, ...dataPosition(event, `/${index}/lineMatches/${at}/lineNumber`) });
            isReported = true;
          }
        }
      }
      report.observation(comparedCount);
    },
  },
});
