import { elementsOf, member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "../../engine/event-position.ts";
import type { EventPosition } from "../../engine/event-position.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Match } from "../../engine/matches/match.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { mayLackMatches } from "../../engine/stream-gaps.ts";
import { requestsAllMatches } from "./counted-stream.ts";

interface FilterTally {
  readonly context: StreamContext;
  /** Numbers of files with matches so far. A file that is sent with several languages counts for the first. */
  readonly filesByRepository: Map<string, number>;
  readonly filesByLanguage: Map<string, number>;
  /** The last suggestions. */
  lastFilters: StreamEvent | undefined;
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

/** Returns the exhaustive suggestions that keep some of the results. */
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

/** Maximum number of repositories tracked per stream, and of languages. */
const maxNames = 1000;

function countFile(filesByName: Map<string, number>, name: string | undefined, isFirstOfFile: boolean): void {
  if (name === undefined || name === "") {
    return;
  }
  const files = filesByName.get(name);
  if (files !== undefined || filesByName.size < maxNames) {
    filesByName.set(name, (files ?? 0) + Number(isFirstOfFile));
  }
}

function addMatch(tally: FilterTally, match: Match): void {
  countFile(tally.filesByRepository, match.repository, match.isFirstOfFile);
  countFile(tally.filesByLanguage, match.language, match.isFirstOfFile);
}

/** Returns the number of files with matches for each filter, such as `lang:go`, in lower case. */
function countFilesByFilter({ filesByRepository, filesByLanguage }: FilterTally): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  const add = (field: string, filesByName: ReadonlyMap<string, number>): void => {
    for (const [name, count] of filesByName) {
      const filter = `${field}:${name.toLowerCase()}`;
      files.set(filter, (files.get(filter) ?? 0) + count);
    }
  };
  add("repo", filesByRepository);
  add("lang", filesByLanguage);
  return files;
}

/** Returns a filter in lower case, without the quotes, anchors and backslashes around its name. */
const normalizeFilter = (value: string): string => value.toLowerCase().replaceAll(/[\\^$"']/gu, "");

/** Returns a suggestion with count 0 that keeps an earlier match. */
function findZeroSuggestion(tally: FilterTally, event: StreamEvent): NarrowingFilter | undefined {
  const filesByFilter = countFilesByFilter(tally);
  return findNarrowingFilters(event).find(
    ({ value, count }) => count === 0 && filesByFilter.has(normalizeFilter(value)),
  );
}

/** Reports filters whose count is less than the number of files that they keep. */
function judgeTooFew(tally: FilterTally, report: Reporter): void {
  const filesByFilter = countFilesByFilter(tally);
  for (const { value, count, position } of findNarrowingFilters(tally.lastFilters)) {
    const fileCount = filesByFilter.get(normalizeFilter(value)) ?? 0;
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
export const filterCountFitsMatches = defineStreamRule<FilterTally>({
  id: "stream/filter-count-fits-matches",
  start: (context) => ({
    context,
    filesByRepository: new Map(),
    filesByLanguage: new Map(),
    lastFilters: undefined,
    zeroSuggestion: undefined,
  }),
  on: {
    match: addMatch,
    filters(tally, event) {
      tally.lastFilters = event;
      tally.zeroSuggestion = elementsOf(event.value).some((filter) => member(filter, "count") === 0)
        ? findZeroSuggestion(tally, event)
        : undefined;
    },
    done(tally, _, report) {
      const { context, lastFilters, zeroSuggestion } = tally;
      const { gaps, units, progress } = context;
      if (progress.matchCount === undefined) {
        return;
      }
      if (zeroSuggestion !== undefined) {
        report.observation();
        const message = `\`${formatValue(zeroSuggestion.value)}\` is suggested with no matches, but a match that it keeps was sent before`;
        report.violation({ message, ...zeroSuggestion.position });
      }
      judgeTooFew(tally, report);
      const mayMissMatches = units.hasOtherTypes || mayLackMatches(gaps);
      if (units.elements === 0 || mayMissMatches || !requestsAllMatches(context)) {
        return;
      }
      const maxCount = Math.max(units.elements, units.lines, units.ranges, progress.matchCount.count);
      for (const { value, count, position } of findNarrowingFilters(lastFilters)) {
        report.observation();
        if (count > maxCount) {
          const message = `\`${formatValue(value)}\` is suggested with ${count} matches, but the search found at most ${maxCount}`;
          report.violation({ message, ...position });
        }
      }
    },
  },
});
