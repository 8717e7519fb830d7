import { matchedLines } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, findChunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { FilePair } from "../../engine/compare/chunk-pairs.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { isConclusiveLine, textLines } from "../../engine/compare/text-lines.ts";

interface ExpectedLine {
  readonly text: string;
  readonly isPresent: boolean;
  readonly description: string;
}

/** Returns every matching line, and whether a chunk match of the file contains the line. */
function findExpectedLines({ fileWithoutChunks, chunkedFile }: FilePair): readonly ExpectedLine[] {
  const chunkLines = new Set(chunkedFile.chunkTexts.flatMap(textLines));
  return matchedLines(fileWithoutChunks).flatMap(([number, line]) =>
    textLines(line ?? "")
      .filter(isConclusiveLine)
      .map((text) => ({
        text,
        isPresent: chunkLines.has(text),
        description: `line ${number} of \`${formatValue(fileWithoutChunks.path)}\` (\`${formatValue(text)}\`)`,
      })),
  );
}

const maxExamples = 3;

/** Only `max-line-len` cuts lines. Source: search-stream, section 4. */
export const chunkLinesAreWhole = defineComparison({
  id: "stream/chunk-lines-are-whole",
  ...byChunks,
  judge(group, reportFor) {
    for (const { searchWithoutChunks, chunkedSearch, files, notComparedReason } of findChunkPairs(group)) {
      const expectedLines = files.flatMap(findExpectedLines);
      const missingLines = expectedLines.filter(({ isPresent }) => !isPresent);
      const report = reportFor(chunkedSearch.id);
      report.observation(Number(expectedLines.length > 0));
      if (notComparedReason !== undefined) {
        report.notTested(notComparedReason);
      }
      if (missingLines.length > 0) {
        const examples = missingLines.slice(0, maxExamples).map(({ description }) => description);
        const message = `search ${chunkedSearch.id} returned no chunk match with the full text of ${missingLines.length} matching lines of search ${searchWithoutChunks.id}: ${examples.join(", ")}`;
        report.violation({ message });
      }
    }
  },
});
