import { defineStreamRule } from "../../engine/rule.ts";

/** Maximum number of checked ranges of one event. Wrong offsets are usually wrong everywhere. */
const maxRanges = 1000;

/** Allowance in bytes. It is unspecified whether offsets start at 0 or 1, and whether the end belongs to the range. */
const allowanceBytes = 2;

/** Returns a clause with the problem of a range. It returns undefined if it is within its path in any unit. */
function findProblem(path: string, start: number, end: number): string | undefined {
  if (start > end) {
    return "ends before it starts";
  }
  const bytes = Buffer.byteLength(path);
  return end > bytes + allowanceBytes ? `ends beyond its path, which has ${bytes} bytes` : undefined;
}

/**
 * A range of a path does not end before its start or after the path. Reports at most one violation per event. Source:
 * search-stream, section 2.3.
 */
export const pathRangesStayInThePath = defineStreamRule({
  id: "stream/path-ranges-stay-in-the-path",
  start: () => ({ remaining: maxRanges, isReported: false }),
  on: {
    match(state, match, report) {
      if (match.index === 0) {
        state.remaining = maxRanges;
        state.isReported = false;
      }
      const { type, pathRanges } = match;
      const path = type === "content" && pathRanges.count > 0 ? match.path : undefined;
      if (path === undefined || state.remaining <= 0) {
        return;
      }
      for (let range = 0; range < pathRanges.count; range += 1) {
        // `stream/content-match-fits-schema` reports ranges without integer positions.
        const [start, end] = pathRanges.offsets(range) ?? [];
        if (start === undefined || end === undefined) {
          continue;
        }
        state.remaining -= 1;
        report.observation();
        const problem = state.isReported ? undefined : findProblem(path, start, end);
        if (problem !== undefined) {
          state.isReported = true;
          const message = `the range of the path from ${start} to ${end} ${problem}`;
          report.violation({ message, ...match.position(`/pathMatches/${range}`) });
        }
      }
    },
  },
});
