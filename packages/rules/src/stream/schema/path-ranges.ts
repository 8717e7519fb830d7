import { arrayMember, member } from "@assay/reading";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { defineStreamRule } from "../../engine/rule.ts";

/** Ranges of one event that are looked at: one that is wrong about them is so about all. */
const maxRanges = 1000;

/** Whether offsets count from 0 or 1, and whether the end is a part of the range, is left open. */
const slack = 2;

interface PathRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly pointer: string;
}

const offsetOf = (range: unknown, name: "start" | "end"): unknown => member(member(range, name), "offset");

function* rangesOf(match: unknown, pointer: string): Generator<PathRange> {
  const path = member(match, "path");
  if (member(match, "type") !== "content" || typeof path !== "string") {
    return;
  }
  for (const [at, range] of arrayMember(match, "pathMatches").entries()) {
    const [start, end] = [offsetOf(range, "start"), offsetOf(range, "end")];
    // What has no integers for its places has a rule of its own.
    if (Number.isInteger(start) && Number.isInteger(end)) {
      yield { path, start: Number(start), end: Number(end), pointer: `${pointer}/pathMatches/${at}` };
    }
  }
}

/** What is wrong about a range, one clause; `undefined` for one that lies in its path, in whatever unit it is counted. */
function faultOf({ path, start, end }: PathRange): string | undefined {
  const bytes = Buffer.byteLength(path);
  if (start > end) {
    return "ends before it starts";
  }
  return end > bytes + slack ? `leads out of its path, which has ${bytes} bytes` : undefined;
}

/**
 * What matches in a path is a range of it: it does not end before it starts, and not behind the path. At most one violation an event.
 * Source: search-stream, section 2.3.
 */
export const pathRangesStayInThePath = defineStreamRule({
  id: "stream/path-ranges-stay-in-the-path",
  start: () => undefined,
  on: {
    matches(_, event, report) {
      const ranges: PathRange[] = [];
      eachMatch(event, (match, index) => {
        if (ranges.length < maxRanges) {
          ranges.push(...rangesOf(match, `/${index}`));
        }
      });
      report.observation(ranges.length);
      for (const range of ranges) {
        const fault = faultOf(range);
        if (fault !== undefined) {
          const message = `the range of the path from ${range.start} to ${range.end} ${fault}`;
          report.violation({ message, ...dataOf(event, range.pointer) });
          return;
        }
      }
    },
  },
});
