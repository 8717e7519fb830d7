import { matchedLines } from "../../engine/found-file.ts";
import { formatValue } from "../../engine/format-value.ts";
import { byChunks, chunkPairs } from "../../engine/compare/chunk-pairs.ts";
import type { FilePair } from "../../engine/compare/chunk-pairs.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { textLines } from "../../engine/compare/text-lines.ts";

interface SoughtLine {
  readonly text: string;
  readonly isThere: boolean;
  readonly shown: string;
}

/** Lines that prove nothing: empty ones, and those with unreadable bytes, which have several possible replacements. */
const isTelling = (line: string): boolean => line !== "" && !line.includes("\u{FFFD}");

/** Every matching line, and whether some chunk match of the file has it. */
function soughtLines({ plain, chunked }: FilePair): readonly SoughtLine[] {
  const there = new Set(chunked.chunks.flatMap(textLines));
  return matchedLines(plain).flatMap(([number, line]) =>
    textLines(line ?? "")
      .filter(isTelling)
      .map((text) => ({
        text,
        isThere: there.has(text),
        shown: `line ${number} of \`${formatValue(plain.path)}\` (\`${formatValue(text)}\`)`,
      })),
  );
}

const maxExamples = 3;

/** Only `max-line-len` cuts lines. Source: search-stream, section 4. */
export const chunkLinesAreWhole = defineComparison({
  id: "stream/chunk-lines-are-whole",
  ...byChunks,
  judge(group, reportFor) {
    for (const { plain, chunked, files, why } of chunkPairs(group)) {
      const sought = files.flatMap(soughtLines);
      const missing = sought.filter(({ isThere }) => !isThere);
      const report = reportFor(chunked.id);
      report.observation(Number(sought.length > 0));
      if (why !== undefined) {
        report.notTested(why);
      }
      if (missing.length > 0) {
        const examples = missing.slice(0, maxExamples).map(({ shown }) => shown);
        const message = `search ${chunked.id} has no chunk match with the full text of ${missing.length} matching lines of search ${plain.id}: ${examples.join(", ")}`;
        report.violation({ message });
      }
    }
  },
});
