import { matchedLines } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, chunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { FilePair } from "../../engine/compare/chunk-pairs.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { textLines } from "../../engine/compare/text-lines.ts";

interface ExpectedLine {
  readonly text: string;
  readonly isPresent: boolean;
  readonly description: string;
}

/**
 * Reports whether a line is evidence. Empty lines are not, and lines with unreadable bytes have several possible
 * replacements.
 */
const isConclusive = (line: string): boolean => line !== "" && !line.includes("\u{FFFD}");

/** Every matching line, and whether a chunk match of the file contains it. */
function findExpectedLines({ plain, chunked }: FilePair): readonly ExpectedLine[] {
  const chunkLines = new Set(chunked.chunkTexts.flatMap(textLines));
  return matchedLines(plain).flatMap(([number, line]) =>
    textLines(line ?? "")
      .filter(isConclusive)
      .map((text) => ({
        text,
        isPresent: chunkLines.has(text),
        description: `line ${number} of \`${formatValue(plain.path)}\` (\`${formatValue(text)}\`)`,
      })),
  );
}

const maxExamples = 3;

/** Only `max-line-len` cuts lines. Source: search-stream, section 4. */
export const chunkLinesAreWhole = defineComparison({
  id: "stream/chunk-lines-are-whole",
  ...byChunks,
  judge(group, reportFor) {
    for (const { plain, chunked, files, reason } of chunkPairs(group)) {
      const expectedLines = files.flatMap(findExpectedLines);
      const missingLines = expectedLines.filter(({ isPresent }) => !isPresent);
      const report = reportFor(chunked.id);
      report.observation(Number(expectedLines.length > 0));
      if (reason !== undefined) {
        report.notTested(reason);
      }
      if (missingLines.length > 0) {
        const examples = missingLines.slice(0, maxExamples).map(({ description }) => description);
        const message = `search ${chunked.id} returned no chunk match with the full text of ${missingLines.length} matching lines of search ${plain.id}: ${examples.join(", ")}`;
        report.violation({ message });
      }
    }
  },
});
