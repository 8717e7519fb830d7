import { arrayMember, member } from "@assay/reading";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { defineStreamRule } from "../../engine/rule.ts";

/** Maximum number of checked ranges of one event. Wrong offsets are usually wrong everywhere. */
const maxRanges = 1000;

/** Allowance in bytes. It is unspecified whether offsets start at 0 or 1, and whether the end belongs to the range. */
const allowanceBytes = 2;

interface PathRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly pointer: string;
}

const offsetOf = (range: unknown, name: "start" | "end"): unknown => member(member(range, name), "offset");

function* findRanges(match: unknown, pointer: string): Generator<PathRange> {
  const path = member(match, "path");
  if (member(match, "type") !== "content" || typeof path !== "string") {
    return;
  }
  for (const [at, range] of arrayMember(match, "pathMatches").entries()) {
    const [start, end] = [offsetOf(range, "start"), offsetOf(range, "end")];
    // `stream/content-match-fits-schema` reports ranges without integer positions.
    if (Number.isInteger(start) && Number.isInteger(end)) {
      yield { path, start: Number(start), end: Number(end), pointer: `${pointer}/pathMatches/${at}` };
    }
  }
}

/** A clause with the problem of a range. Undefined if it is within its path in any unit. */
function findProblem({ path, start, end }: PathRange): string | undefined {
  const bytes = Buffer.byteLength(path);
  if (start > end) {
    return "ends before it starts";
  }
  return end > bytes + allowanceBytes ? `ends beyond its path, which has ${bytes} bytes` : undefined;
}

/**
 * A range of a path does not end before its start or after the path. Reports at most one violation per event. Source:
 * search-stream, section 2.3.
 */
export const pathRangesStayInThePath = defineStreamRule({
  id: "stream/path-ranges-stay-in-the-path",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      const ranges: PathRange[] = [];
      forEachMatch(event, (match, index) => {
        if (ranges.length < maxRanges) {
          ranges.push(...findRanges(match, `/${index}`));
        }
      });
      report.observation(ranges.length);
      for (const range of ranges) {
        const problem = findProblem(range);
        if (problem !== undefined) {
          const message = `the range of the path from ${range.start} to ${range.end} ${problem}`;
          report.violation({ message, ...dataPosition(event, range.pointer) });
          return;
        }
      }
    },
  },
});
