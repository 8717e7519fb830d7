import { isAnswered } from "../../engine/answer.ts";
import { isSameState } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { bindsLineLength, isWithChunks, longestOf, searchKey } from "../../engine/compare/search.ts";
import { isLongerThan, textLines } from "../../engine/compare/text-lines.ts";
import { sharedFiles } from "../../engine/compare/usable.ts";

const filesOf = ({ exchange }: ComparedSearch): readonly FoundFile[] => [...(exchange.results?.files.values() ?? [])];

const maxExamples = 3;

/** Line ends are unspecified: every possible line end makes lines shorter. */
// Stryker disable next-line Regex: the opposite of `\v` is no regular expression, and would keep the module from loading.
const anyLineEnd = /\r\n?|[\n\v\f\u{85}\u{2028}\u{2029}]/u;

/** The problem of the lines of a search; undefined if none is too long. */
function tooLong(search: ComparedSearch, most: number): string | undefined {
  const lines = filesOf(search).flatMap(({ path, chunks }) =>
    chunks
      .flatMap((text) => text.split(anyLineEnd).filter((line) => isLongerThan(line, most)))
      .map((line) => `\`${formatValue(line)}\` in \`${formatValue(path)}\``),
  );
  return lines.length > 0
    ? `${lines.length} longer lines in chunk matches: ${lines.slice(0, maxExamples).join(", ")}`
    : undefined;
}

/**
 * Lines that the file certainly has, for any number of context lines: those with a line match. The lines of chunk
 * matches include context lines, so they only count with the same number of context lines.
 */
const linesOf = ({ lines, chunks }: FoundFile, isSameContext: boolean): readonly string[] => [
  ...[...lines.values()].map((line) => line ?? ""),
  ...(isSameContext ? chunks : []),
];

/**
 * Reports whether a line of the chunk matches had to be cut, by the results of the same search without the parameter.
 */
function hadToCut({ search, exchange }: ComparedSearch, whole: ComparedSearch, most: number): boolean {
  if (exchange.results === undefined || whole.exchange.results === undefined) {
    return false;
  }
  const isSameContext = search.parameters.get("cl") === whole.search.parameters.get("cl");
  return sharedFiles(exchange.results, whole.exchange.results)
    .filter(([cut, file]) => cut.chunks.length > 0 && isSameState(cut, file))
    .flatMap(([, file]) => linesOf(file, isSameContext))
    .some((text) => textLines(text).some((line) => isLongerThan(line, most)));
}

/** Half a character: the replacement of invalid bytes, or a single UTF-16 surrogate. */
const half = /[\u{FFFD}\p{Surrogate}]/u;

const hasHalfAt = (line: string, index: number): boolean => line.slice(index).search(half) === 0;

/** The lines of a file, if all of its chunk matches have their text. */
const allLines = ({ lines, chunks, lacksChunkText }: FoundFile): readonly string[] =>
  lacksChunkText ? [] : [...lines.values(), ...chunks].flatMap((text) => textLines(text ?? ""));

/** The first cut line with half a character, if each line with the same start has a whole one. */
function halfCharacterIn(cut: FoundFile, whole: FoundFile): string | undefined {
  const known = allLines(whole);
  return cut.chunks.flatMap(textLines).find((line) => {
    const index = line.search(half);
    const alike = index < 1 ? [] : known.filter((one) => one.length > index && one.startsWith(line.slice(0, index)));
    return alike.length > 0 && !alike.some((one) => hasHalfAt(one, index));
  });
}

/** A line that was cut within a character, by the same search with whole lines. */
function halfCharacter({ search, exchange }: ComparedSearch, whole: readonly ComparedSearch[]): string | undefined {
  const same = whole.filter(
    (one) => isWithChunks(one.search) && search.parameters.get("cl") === one.search.parameters.get("cl"),
  );
  const pairs = same.flatMap((one) =>
    exchange.results === undefined || one.exchange.results === undefined || one.exchange.results.lacksText
      ? []
      : sharedFiles(exchange.results, one.exchange.results).filter(([cut, file]) => isSameState(cut, file)),
  );
  const line = pairs.flatMap(([cut, file]) => halfCharacterIn(cut, file) ?? [])[0];
  return line === undefined
    ? undefined
    : `a line that is cut within a character, which is whole without the parameter: \`${formatValue(line)}\``;
}

/**
 * Lines of chunk matches are cut to the requested length, in any unit, and between characters: in JSON text, half a
 * character is lost. Source: search-stream, sections 2 and 4.
 */
export const maxLineLenCutsLines = defineComparison({
  id: "stream/max-line-len-cuts-lines",
  groupOf: (search) => searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: (searches) => searches.some((search) => longestOf(search) > 0),
  byAnybody: true,
  judge(group, reportFor) {
    const whole = group.filter(({ search }) => !bindsLineLength(search));
    for (const cut of group.filter(({ search, exchange }) => longestOf(search) > 0 && isAnswered(exchange))) {
      const most = longestOf(cut.search);
      const clause = tooLong(cut, most) ?? halfCharacter(cut, whole);
      const report = reportFor(cut.exchange.record.id);
      report.observation(Number(clause !== undefined || whole.some((search) => hadToCut(cut, search, most))));
      if (clause !== undefined) {
        const message = `search ${cut.exchange.record.id} with \`max-line-len=${most}\` has ${clause}`;
        report.violation({ message });
      }
    }
  },
});
