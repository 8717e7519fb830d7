import { elementsOf, member } from "@assay/contract";
import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import type { EventPlace } from "../../engine/event-place.ts";
import { shownValue } from "../../engine/shown-value.ts";
import { defineCountRule, isUnlimited } from "./counted-stream.ts";

/** How many matches came, in each unit that a count may be meant in: elements, lines, highlighted ranges. */
interface Counted {
  elements: number;
  lines: number;
  ranges: number;
  /** Whether matches came of which nobody knows how many they are, as of symbols. */
  isPartial: boolean;
  /** The last suggestions. */
  filters: StreamEvent | undefined;
}

const countedTypes: ReadonlySet<unknown> = new Set(["content", "path", "repo"]);

function takeMatch(counted: Counted, match: unknown): void {
  const lines = elementsOf(member(match, "lineMatches"));
  const chunks = elementsOf(member(match, "chunkMatches"));
  const ranges = [
    ...lines.map((line) => member(line, "offsetAndLengths")),
    ...chunks.map((chunk) => member(chunk, "ranges")),
    member(match, "pathMatches"),
  ].map((list) => elementsOf(list).length);
  counted.isPartial ||= !countedTypes.has(member(match, "type"));
  counted.elements += 1;
  counted.lines += Math.max(1, lines.length);
  counted.ranges += Math.max(
    1,
    ranges.reduce((sum, length) => sum + length, 0),
  );
}

/** A file has one language and is in one repository, so that these filters keep some of what was found; others may add to it. */
const isNarrowing = (value: unknown): value is string =>
  typeof value === "string" && /^(?:lang|repo):[^@]+$/u.test(value);

interface NarrowingFilter {
  readonly value: string;
  readonly count: number;
  readonly place: EventPlace;
}

/** Suggestions that keep some of what was found, and say that they count all of it. */
const narrowingFilters = (event: StreamEvent | undefined): readonly NarrowingFilter[] =>
  elementsOf(event?.value).flatMap((filter, index) => {
    const [value, count] = [member(filter, "value"), member(filter, "count")];
    return event !== undefined &&
      isNarrowing(value) &&
      typeof count === "number" &&
      member(filter, "exhaustive") === true
      ? [{ value, count, place: dataOf(event, `/${index}/count`) }]
      : [];
  });

/**
 * A suggested language or repository that says it is exhaustive counts some of the matches of its search; plausible, but what that
 * word promises is not said. In what unit it counts is left open, so it is held against the largest one, and only where nothing is
 * missing. Source: search-stream, sections 2.1 and 6.
 */
export const filterCountFitsMatches = defineCountRule<Counted>({
  id: "stream/filter-count-fits-matches",
  key: "matchCount",
  start: () => ({ elements: 0, lines: 0, ranges: 0, isPartial: false, filters: undefined }),
  matches(counted, event) {
    eachMatch(event, (match) => takeMatch(counted, match));
  },
  filters(counted, event) {
    counted.filters = event;
  },
  judge({ context, hasUnreadable, hasProblem, hasSkipped }, { kept, final }, report) {
    const isMissing = kept.isPartial || hasUnreadable || hasProblem || hasSkipped || context.damage.hasLostEvent;
    if (kept.elements === 0 || isMissing || !isUnlimited(context)) {
      return;
    }
    const most = Math.max(kept.elements, kept.lines, kept.ranges, final.count);
    for (const { value, count, place } of narrowingFilters(kept.filters)) {
      report.opportunity();
      if (count > most) {
        const message = `\`${shownValue(value)}\` is suggested to keep ${count} matches, and the search found ${most} at most`;
        report.violation({ message, ...place });
      }
    }
  },
});
