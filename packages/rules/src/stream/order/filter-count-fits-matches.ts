import { elementsOf, member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { eachMatch } from "../../engine/each-match.ts";
import { countMatch, noUnits } from "./counted-units.ts";
import type { CountedUnits } from "./counted-units.ts";
import { dataPlace } from "../../engine/event-place.ts";
import type { EventPlace } from "../../engine/event-place.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";
import { defineCountRule, isUnlimited } from "./counted-stream.ts";

interface Kept {
  readonly units: CountedUnits;
  /**
   * Repositories and languages of the matches so far, in lower case, in the form used by filters, each with its files.
   */
  readonly named: Map<string, Set<string>>;
  /** Total number of tracked files. */
  files: number;
  /** The last suggestions. */
  filters: StreamEvent | undefined;
  /** The first suggestion with count 0 for a repository or language of earlier matches. */
  countsNone: NarrowingFilter | undefined;
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
  readonly position: EventPlace;
}

/** The exhaustive suggestions that keep some of the results. */
const narrowingFilters = (event: StreamEvent | undefined): readonly NarrowingFilter[] =>
  elementsOf(event?.value).flatMap((filter, index) => {
    const [value, count] = [member(filter, "value"), member(filter, "count")];
    return event !== undefined &&
      isNarrowing(value) &&
      typeof count === "number" &&
      member(filter, "exhaustive") === true
      ? [{ value, count, position: dataPlace(event, `/${index}/count`) }]
      : [];
  });

/** Upper bounds on the repositories and languages tracked per stream, and on their files. */
const maxNamed = 1000;
const maxFiles = 20_000;

function addFile(kept: Kept, name: string, match: unknown): void {
  const files = kept.named.get(name) ?? new Set();
  const [repository, path] = [member(match, "repository"), member(match, "path")];
  const isFile = member(match, "type") === "content" && typeof repository === "string" && typeof path === "string";
  if (isFile && kept.files < maxFiles) {
    const before = files.size;
    files.add(JSON.stringify([repository, path]));
    kept.files += files.size - before;
  }
  kept.named.set(name, files);
}

function addMatch(kept: Kept, match: unknown): void {
  countMatch(kept.units, match);
  for (const field of ["repo", "lang"] as const) {
    const name = member(match, field === "repo" ? "repository" : "language");
    if (typeof name === "string" && name !== "" && kept.named.size < maxNamed) {
      addFile(kept, `${field}:${name.toLowerCase()}`, match);
    }
  }
}

/** A filter without quotes and anchors around the name. */
const plainFilter = (value: string): string => value.toLowerCase().replaceAll(/[\\^$"']/gu, "");

/** A filter that keeps all matches of a repository or language counts at least their files. */
function judgeTooFew({ filters, named }: Kept, report: Reporter): void {
  for (const { value, count, position } of narrowingFilters(filters)) {
    const files = named.get(plainFilter(value))?.size ?? 0;
    if (files > 1 && count > 0) {
      report.observation();
      if (count < files) {
        const message = `\`${formatValue(value)}\` is suggested with ${count} matches, but it keeps matches in ${files} files`;
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
export const filterCountFitsMatches = defineCountRule<Kept>({
  id: "stream/filter-count-fits-matches",
  key: "matchCount",
  start: () => ({ units: noUnits(), named: new Map(), files: 0, filters: undefined, countsNone: undefined }),
  matches(kept, event) {
    eachMatch(event, (match) => addMatch(kept, match));
  },
  filters(kept, event) {
    kept.filters = event;
    kept.countsNone = narrowingFilters(event).find(
      ({ value, count }) => count === 0 && kept.named.has(plainFilter(value)),
    );
  },
  judge({ context, hasUnreadable, hasProblem, hasSkipped }, { kept, final }, report) {
    const { units, filters, countsNone } = kept;
    if (countsNone !== undefined) {
      report.observation();
      const message = `\`${formatValue(countsNone.value)}\` is suggested with no matches, but a match that it keeps was sent before`;
      report.violation({ message, ...countsNone.position });
    }
    judgeTooFew(kept, report);
    const isMissing = units.isPartial || hasUnreadable || hasProblem || hasSkipped || context.damage.hasLostEvent;
    if (units.elements === 0 || isMissing || !isUnlimited(context)) {
      return;
    }
    const maxCount = Math.max(units.elements, units.lines, units.ranges, final.count);
    for (const { value, count, position } of narrowingFilters(filters)) {
      report.observation();
      if (count > maxCount) {
        const message = `\`${formatValue(value)}\` is suggested with ${count} matches, but the search found at most ${maxCount}`;
        report.violation({ message, ...position });
      }
    }
  },
});
