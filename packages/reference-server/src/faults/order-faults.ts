import { readFilterValues } from "../service/query/edit-filters.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { emptyProgress } from "../variations/vary-events.ts";
import {
  type EventEffect,
  changeEach,
  changeFirst,
  hasArrived,
  isFinalProgress,
  hasName,
  isRunningProgress,
  replaceEvents,
  replaceFirst,
  without,
} from "./event-transforms.ts";
import {
  type Fault,
  type FaultEffect,
  type Variants,
  choice,
  defineLegalVariation,
  selectVariant,
  withSettings,
  defineViolation,
} from "./fault.ts";
import { readQuery, searchWith } from "./parameter-transforms.ts";
import { withMember, withoutMember, addToMember, mutateIf } from "./json-mutation.ts";

/** Queries of a run whose regular expression is invalid. */
const brokenQuery = /^(?:patternType:regexp \(|\( patternType:regexp)$/iu;

const statusVariants: Variants<number> = { "status-404": 404, "status-500": 500, "status-400": 400 };

/** Responds to selected queries with a status instead of a stream. */
const refuseSearches = (status: number, isSelected: (q: string) => boolean): FaultEffect => ({
  layer: "parameters",
  apply: (parsedParameters, { queryParameters }) =>
    isSelected(queryParameters.get("q") ?? "")
      ? { ok: false, message: "nothing to show", refusal: { allowed: false, status, text: "nothing to show" } }
      : parsedParameters,
});

const readFilterValue = (filter: unknown): unknown => (isPayloadObject(filter) ? filter["value"] : undefined);

/** Drops the first entry of the first `filters` event from the second `filters` event. */
const dropFirstFilterEntry: EventEffect = replaceEvents(() => {
  const values: unknown[] = [];
  return ({ name, data }) => {
    const list = name === "filters" && isPayloadArray(data) ? data : undefined;
    const [forgotten] = values;
    values.push(...(list === undefined ? [] : [readFilterValue(list[0])]));
    return list !== undefined && values.length === 2 && forgotten !== undefined
      ? [{ name, data: list.filter((filter) => readFilterValue(filter) !== forgotten) }]
      : undefined;
  };
});

const showRunning = ({ data, name }: SearchEvent): SearchEvent => ({
  name,
  data: isPayloadObject(data) ? { ...without(data, "repositoriesCount"), done: false } : data,
});

/** Moves the last event with this name after the final `progress` event. It is not sent twice, so the number of matches is unchanged. */
const moveAfterFinal = (name: "matches" | "filters"): Fault =>
  defineViolation("stream/results-precede-final-progress", `${name}-after-final`)(
    `The last ${name} follow the final progress event.`,
    replaceEvents(() => {
      let heldEvents: readonly SearchEvent[] = [];
      return (event) => {
        const before = heldEvents;
        if (event.name === name) {
          heldEvents = [event];
          return before;
        }
        if (before.length === 0 || !isFinalProgress(event)) {
          return undefined;
        }
        heldEvents = [];
        return [event, ...before];
      };
    }),
  );

const endings: Variants<(finalProgress: SearchEvent) => readonly SearchEvent[]> = {
  "left-out": () => [],
  "still-running": (finalProgress) => [showRunning(finalProgress)],
};

/**
 * Replaces the final `progress` event of searches with results. Without results the event is the only trace of the search, so it is kept.
 */
const replaceEnding = (end: (finalProgress: SearchEvent) => readonly SearchEvent[]): EventEffect =>
  replaceEvents(() => {
    const hasResults = hasArrived(hasName("matches", "filters"));
    return (event) => (hasResults(event) && isFinalProgress(event) ? end(event) : undefined);
  });

const tooManyMatches = 1_000_000_000;
const tenMinutesMs = 600_000;

/** Replacements of a duration. A search of less than 20 ms is treated as 20 ms. */
const wrongDurations: Variants<(durationMs: number) => number> = {
  nanoseconds: (durationMs) => Math.max(20, durationMs) * 1e6,
  "time-of-day": (durationMs) => 1_795_000_000_000 + durationMs,
  "time-of-day-in-seconds": () => 1_795_000_000,
};

/** Replaces alerts that precede all other events. */
const replaceFirstAlerts = (replace: (alert: SearchEvent) => readonly SearchEvent[]): EventEffect =>
  replaceEvents(() => {
    const isSearch = hasArrived(hasName("matches", "filters", "progress"));
    return (event) => (!isSearch(event) && event.name === "alert" ? replace(event) : undefined);
  });

const toErrorEvent = ({ data }: SearchEvent): SearchEvent => ({
  name: "error",
  data: { message: isPayloadObject(data) ? String(data["description"]) : "the query cannot be run" },
});

const errorPlaces: Variants<(alert: SearchEvent) => readonly SearchEvent[]> = {
  alone: (alert) => [toErrorEvent(alert)],
  "behind-progress": (alert) => [emptyProgress(true), toErrorEvent(alert)],
};

const countsRepositories = (finalProgress: PayloadObject): boolean => Number(finalProgress["repositoriesCount"]) > 0;

/** Faults in the order of events, in the sequence of `filters` events and in reported progress. */
export const orderFaults: readonly Fault[] = [
  defineViolation("stream/filters-only-grow", "filters-shrink")(
    "The second `filters` event lacks the first entry of the first one.",
    dropFirstFilterEntry,
  ),
  defineViolation("stream/filter-count-fits-matches", "filter-counts-too-many")(
    "Suggested languages or repositories with exhaustive counts count a hundred times as many matches.",
    withSettings({ kind: choice("kind of the filters", "lang", "repo") }, ({ kind }) =>
      changeEach("filters", (filter) =>
        filter["kind"] === kind && filter["exhaustive"] === true && Number(filter["count"]) > 0
          ? { ...filter, count: Number(filter["count"]) * 100 }
          : undefined,
      ),
    ),
  ),
  defineViolation("stream/filter-count-fits-matches", "filter-counts-none")(
    "Suggested languages and repositories with exhaustive counts count no matches.",
    changeEach("filters", (filter) =>
      ["lang", "repo"].includes(String(filter["kind"])) && filter["exhaustive"] === true
        ? { ...filter, count: 0 }
        : undefined,
    ),
  ),
  defineViolation("stream/final-progress-before-done", "no-final-progress")(
    "The final `progress` event of a search with results is missing, or reports that the search is still running.",
    selectVariant(endings, replaceEnding),
  ),
  defineViolation("stream/progress-stays-final", "progress-runs-again")(
    "A `progress` event with `done` false follows the final one.",
    replaceFirst(isFinalProgress, (event) => [event, showRunning(event)]),
  ),
  defineViolation("stream/one-final-progress", "final-progress-twice")(
    "The final `progress` event is sent twice.",
    replaceFirst(isFinalProgress, (event) => [event, event]),
  ),
  defineViolation("stream/final-progress-counts-repositories", "final-without-repositories-count")(
    "The final progress of a search lacks `repositoriesCount`.",
    changeFirst(isFinalProgress, withoutMember("repositoriesCount")),
  ),
  defineViolation("stream/final-progress-counts-repositories", "final-without-zero-count")(
    "The final progress of a search without results lacks `repositoriesCount`.",
    changeFirst(
      isFinalProgress,
      mutateIf(({ matchCount }) => matchCount === 0, withoutMember("repositoriesCount")),
    ),
  ),
  defineViolation("stream/repositories-count-covers-matches", "repositories-not-counted")(
    "The `repositoriesCount` of a search with results is 0.",
    changeFirst(isFinalProgress, mutateIf(countsRepositories, withMember("repositoriesCount", 0))),
  ),
  defineViolation("stream/match-count-fits-matches", "matches-under-another-name")(
    "Every `matches` event is named `match`.",
    replaceEvents(
      () =>
        ({ data, name }) =>
          name === "matches" ? [{ name: "match", data }] : undefined,
    ),
  ),
  defineViolation("stream/match-count-fits-matches", "match-count-zero")(
    "Every progress of a search for repositories counts no matches regardless of what was found.",
    // Searches with `type:repo` have no match limit, so a wrong count does not change how they end.
    changeEach("progress", (progress, run) =>
      readFilterValues(readQuery(run), "type").includes("repo") ? { ...progress, matchCount: 0 } : undefined,
    ),
  ),
  defineViolation("stream/match-count-fits-matches", "match-count-too-low")(
    "Every progress of a search for chunk matches that finds several counts one match.",
    changeEach("progress", (progress, { queryParameters }) =>
      Number(progress["matchCount"]) > 1 && queryParameters.get("cm") === "true"
        ? { ...progress, matchCount: 1 }
        : undefined,
    ),
  ),
  defineViolation("stream/counted-matches-came", "match-count-doubled")(
    "Every progress of a search counts twice the matches that were found.",
    changeEach("progress", (progress) =>
      Number(progress["matchCount"]) > 0 ? { ...progress, matchCount: 2 * Number(progress["matchCount"]) } : undefined,
    ),
  ),
  defineViolation("stream/repositories-count-fits-matches", "repositories-count-of-all")(
    "The final progress of a search with results counts a hundred extra repositories.",
    changeFirst(isFinalProgress, mutateIf(countsRepositories, addToMember("repositoriesCount", 100))),
  ),
  moveAfterFinal("matches"),
  moveAfterFinal("filters"),
  defineViolation("stream/match-count-never-falls", "match-count-falls")(
    "The first unfinished `progress` event counts far more matches than the next ones.",
    changeFirst(isRunningProgress, addToMember("matchCount", tooManyMatches)),
  ),
  defineViolation("stream/duration-never-falls", "duration-falls")(
    "The first unfinished `progress` event reports ten minutes more than the next ones.",
    changeFirst(isRunningProgress, addToMember("durationMs", tenMinutesMs)),
  ),
  defineViolation("stream/duration-fits-clock", "duration-too-long")(
    "Each progress reports ten minutes more than the actual duration.",
    changeEach("progress", addToMember("durationMs", tenMinutesMs)),
  ),
  defineViolation("stream/duration-is-in-milliseconds", "duration-in-another-unit")(
    "Each `progress` event reports a wrong duration, for example in nanoseconds.",
    selectVariant(wrongDurations, (timeFor) =>
      changeEach("progress", (progress) => ({ ...progress, durationMs: timeFor(Number(progress["durationMs"])) })),
    ),
  ),
  defineViolation("stream/problem-has-alert", "problem-without-alert")(
    "A query that cannot run returns an `error` event instead of an alert.",
    selectVariant(errorPlaces, replaceFirstAlerts),
  ),
  defineViolation("stream/problem-has-alert", "problem-silent")(
    "A query that cannot run returns `done` alone.",
    replaceFirstAlerts(() => []),
  ),
  defineViolation("stream/answer-is-a-stream", "problem-answered-with-status")(
    "A query that cannot run returns a status instead of a stream.",
    selectVariant(statusVariants, (status) => refuseSearches(status, (q) => brokenQuery.test(q.trim()))),
  ),
  defineViolation("stream/answer-is-a-stream", "nothing-found-answered-with-status")(
    "A search without results returns a status instead of a stream.",
    selectVariant(statusVariants, (status) => refuseSearches(status, (q) => /no-such-text/u.test(q))),
  ),
  defineViolation("stream/broken-query-has-alert", "problem-as-empty-search")(
    "A query that cannot run is answered like a search without results.",
    replaceFirstAlerts(() => [emptyProgress(true)]),
  ),
  defineLegalVariation("problem-read-as-text")(
    "A regular expression that consists of one parenthesis matches the parenthesis.",
    searchWith(({ q }) => (brokenQuery.test(q.trim()) ? { q: '"("', patternType: "standard" } : undefined)),
  ),
];
