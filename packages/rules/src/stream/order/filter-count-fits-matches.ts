import { elementsOf, member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { countMatch, emptyUnits } from "./counted-units.ts";
import type { CountedUnits } from "./counted-units.ts";
import { dataPosition } from "../../engine/event-position.ts";
import type { EventPosition } from "../../engine/event-position.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineCountRule, requestsAllMatches } from "./counted-stream.ts";

interface FilterTally {
  readonly units: CountedUnits;
  /**
   * Repositories and languages of the matches so far, in lower case, in the form used by filters, each with its files.
   */
  readonly filesByFilter: Map<string, Set<string>>;
  /** Total number of tracked files. */
  fileCount: number;
  /** The last suggestions. */
  filters: StreamEvent | undefined;
  /** The first suggestion with count 0 for a repository or language of earlier matches. */
  zeroSuggestion: NarrowingFilter | undefined;
}

/**
 * Reports whether the filter can only keep some of the results. A file has one language and one repository. Other
 * filters may add results.
 */
const isNarrowing = (value: unknown): value is string =>
  typeof value === "string" && /^(?:lang|repo):[^@]+$/u.test(value);

interface NarrowingFilter {
  readonly value: string;
  readonly count: number;
  readonly position: EventPosition;
}

/** The exhaustive suggestions that keep some of the results. */
const findNarrowingFilters = (event: StreamEvent | undefined): readonly NarrowingFilter[] =>
  elementsOf(event?.value).flatMap((filter, index) => {
    const [value, count] = [member(filter, "value"), member(filter, "count")];
    return event !== undefined &&
      isNarrowing(value) &&
      typeof count === "number" &&
      member(filter, "exhaustive") === true
      ? [{ value, count, position: dataPosition(event, `/${index}/count`) }]
      : [];
  });

/** Upper bounds on the repositories and languages tracked per stream, and on their files. */
const maxFilters = 1000;
const maxFiles = 20_000;

function addFile(tally: FilterTally, filter: string, match: unknown): void {
  const files = tally.filesByFilter.get(filter) ?? new Set();
  const [repository, path] = [member(match, "repository"), member(match, "path")];
  const isFile = member(match, "type") === "content" && typeof repository === "string" && typeof path === "string";
  if (isFile && tally.fileCount < maxFiles) {
    const sizeBefore = files.size;
    files.add(JSON.stringify([repository, path]));
    tally.fileCount += files.size - sizeBefore;
  }
  tally.filesByFilter.set(filter, files);
}

function addMatch(tally: FilterTally, match: unknown): void {
  countMatch(tally.units, match);
  for (const field of ["repo", "lang"] as const) {
    const name = member(match, field === "repo" ? "repository" : "language");
    if (typeof name === "string" && name !== "" && tally.filesByFilter.size < maxFilters) {
      addFile(tally, `${field}:${name.toLowerCase()}`, match);
    }
  }
}

/** A filter without quotes and anchors around the name. */
const normalizeFilter = (value: string): string => value.toLowerCase().replaceAll(/[\\^$"']/gu, "");

/** A filter that keeps all matches of a repository or language counts at least their files. */
function judgeTooFew({ filters, filesByFilter }: FilterTally, report: Reporter): void {
  for (const { value, count, position } of findNarrowingFilters(filters)) {
    const fileCount = filesByFilter.get(normalizeFilter(value))?.size ?? 0;
    if (fileCount > 1 && count > 0) {
      report.observation();
      if (count < fileCount) {
        const message = `\`${formatValue(value)}\` is suggested with ${count} matches, but it keeps matches in ${fileCount} files`;
        report.violation({ message, ...position });
      }
    }
  }
}

/**
 * An exhaustive suggestion of a language or repository counts at least the files and at most the matches of its search,
 * if there are any. This is plausible, but `exhaustive` is not defined. Its unit is unspecified, so it is compared with
 * the largest one, and only if nothing is missing. A count of 0 is 0 in every unit. Source: search-stream, sections 2.1
 * and 6.
 */
export const filterCountFitsMatches = defineCountRule<FilterTally>({
  id: "stream/filter-count-fits-matches",
  key: "matchCount",
  start: () => ({
    units: emptyUnits(),
    filesByFilter: new Map(),
    fileCount: 0,
    filters: undefined,
    zeroSuggestion: undefined,
  }),
  matches(tally, event) {
    forEachMatch(event, (match) => addMatch(tally, match));
  },
  filters(tally, event) {
    tally.filters = event;
    tally.zeroSuggestion = findNarrowingFilters(event).find(
      ({ value, count }) => count === 0 && tally.filesByFilter.has(normalizeFilter(value)),
    );
  },
  judge({ context, hasUnreadableMatches, hasProblem, hasSkipped }, { tally, finalCount }, report) {
    const { units, filters, zeroSuggestion } = tally;
    if (zeroSuggestion !== undefined) {
      report.observation();
      const message = `\`${formatValue(zeroSuggestion.value)}\` is suggested with no matches, but a match that it keeps was sent before`;
      report.violation({ message, ...zeroSuggestion.position });
    }
    judgeTooFew(tally, report);
    const mayMissMatches =
      units.isPartial || hasUnreadableMatches || hasProblem || hasSkipped || context.damage.hasLostEvent;
    if (units.elements === 0 || mayMissMatches || !requestsAllMatches(context)) {
      return;
    }
    const maxCount = Math.max(units.elements, units.lines, units.ranges, finalCount.count);
    for (const { value, count, position } of findNarrowingFilters(filters)) {
      report.observation();
      if (count > maxCount) {
        const message = `\`${formatValue(value)}\` is suggested with ${count} matches, but the search found at most ${maxCount}`;
        report.violation({ message, ...position });
      }
    }
  },
});
