import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import {
  changeElements,
  changeFirstObject,
  isFinalProgress,
  isRunningProgress,
  replaceEach,
  replaceFirst,
  without,
} from "./event-transforms.ts";
import type { EventEffect } from "./event-transforms.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "./fault.ts";
import { lacking } from "./spoiling.ts";

const valueOf = (filter: unknown): unknown => (isPayloadObject(filter) ? filter["value"] : undefined);

/** Leaves the first entry of the first filters out of the second ones. */
const forgetFirst: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    let seen = 0;
    let forgotten: unknown;
    for await (const event of events) {
      const list = event.name === "filters" && isPayloadArray(event.data) ? event.data : undefined;
      seen += list === undefined ? 0 : 1;
      forgotten = list !== undefined && seen === 1 ? valueOf(list[0]) : forgotten;
      if (list === undefined || seen !== 2 || forgotten === undefined) {
        yield event;
        continue;
      }
      run.applied();
      yield { name: event.name, data: list.filter((filter) => valueOf(filter) !== forgotten) };
    }
  },
};

const runningAgain = ({ name, data }: SearchEvent): SearchEvent => ({
  name,
  data: isPayloadObject(data) ? { ...without(data, "repositoriesCount"), done: false } : data,
});

/**
 * Holds the newest event of a name back until after the final progress. It is moved, not sent twice, so that the number of
 * matches stays what it was.
 */
const lastOneAfterFinal = (name: string): EventEffect => ({
  layer: "events",
  async *apply(events, run) {
    let held: SearchEvent | undefined;
    for await (const event of events) {
      if (event.name === name) {
        if (held !== undefined) {
          yield held;
        }
        held = event;
        continue;
      }
      yield event;
      if (held !== undefined && isFinalProgress(event)) {
        run.applied();
        yield held;
        held = undefined;
      }
    }
  },
});

const endings: Variants<(final: SearchEvent) => readonly SearchEvent[]> = {
  "left-out": () => [],
  "still-running": (final) => [runningAgain(final)],
};

/** A search that found nothing has nothing but its final progress; without it nobody could tell that there was a search. */
const otherEnding: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    let hasResults = false;
    for await (const event of events) {
      hasResults ||= event.name === "matches" || event.name === "filters";
      const others = hasResults && isFinalProgress(event) ? variantOf(endings, run)?.(event) : undefined;
      if (others === undefined) {
        yield event;
        continue;
      }
      run.applied();
      yield* others;
    }
  },
};

const moreThanAnySearchFinds = 1_000_000_000;
const oneHourMs = 3_600_000;

const increased = (field: string, by: number): EventEffect =>
  changeFirstObject(isRunningProgress, (data) => ({ ...data, [field]: Number(data[field]) + by }));

/** Counts nothing in a search that finds repositories, of which no number decides when it ends. */
const uncounted: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    let isForRepositories = false;
    for await (const event of events) {
      const { name, data } = event;
      const [first] = name === "matches" && isPayloadArray(data) ? data : [];
      isForRepositories ||= isPayloadObject(first) && first["type"] === "repo";
      if (!isForRepositories || name !== "progress" || !isPayloadObject(data)) {
        yield event;
        continue;
      }
      run.applied();
      yield { name, data: { ...data, matchCount: 0 } };
    }
  },
};

/** Faults in what follows what: in the course of `filters` and of the search that progress events tell. */
export const orderFaults: readonly Fault[] = [
  violating("stream/filters-only-grow", "filters-shrink")(
    "The second filters lack the first entry of the first ones.",
    forgetFirst,
  ),
  violating("stream/filter-count-fits-matches", "filter-counts-too-many")(
    "Suggested languages or repositories that count everything count a hundred times as many matches.",
    changeElements("filters", (filter, { values }) =>
      filter["kind"] === values["kind"] && filter["exhaustive"] === true && Number(filter["count"]) > 0
        ? { ...filter, count: Number(filter["count"]) * 100 }
        : undefined,
    ),
    { kind: { title: "kind of the filters", default: "lang", choices: ["lang", "repo"] } },
  ),
  violating("stream/final-progress-before-done", "no-final-progress")(
    "The progress that ends a search which found something is left out, or says that the search still runs.",
    otherEnding,
    howParameter(endings),
  ),
  violating("stream/progress-stays-final", "progress-runs-again")(
    "The final progress is followed by one with `done` false.",
    replaceFirst(isFinalProgress, (event) => [event, runningAgain(event)]),
  ),
  violating("stream/one-final-progress", "final-progress-twice")(
    "The final progress is sent twice.",
    replaceFirst(isFinalProgress, (event) => [event, event]),
  ),
  violating("stream/final-progress-counts-repositories", "final-without-repositories-count")(
    "The final progress of a search with results lacks `repositoriesCount`.",
    changeFirstObject(isFinalProgress, lacking("repositoriesCount")),
  ),
  violating("stream/final-progress-counts-repositories", "final-without-zero-count")(
    "The final progress of a search without results lacks `repositoriesCount`.",
    replaceFirst(
      ({ name, data }) => isPayloadObject(data) && isFinalProgress({ name, data }) && data["matchCount"] === 0,
      ({ name, data }) => [{ name, data: isPayloadObject(data) ? without(data, "repositoriesCount") : data }],
    ),
  ),
  violating("stream/repositories-count-covers-matches", "repositories-not-counted")(
    "The `repositoriesCount` of a search with results is 0.",
    replaceFirst(
      ({ name, data }) =>
        isPayloadObject(data) && isFinalProgress({ name, data }) && Number(data["repositoriesCount"]) > 0,
      ({ name, data }) => [{ name, data: isPayloadObject(data) ? { ...data, repositoriesCount: 0 } : data }],
    ),
  ),
  violating("stream/match-count-fits-matches", "matches-under-another-name")(
    "Every `matches` comes as an event `match`.",
    replaceEach(({ name, data }) => (name === "matches" ? [{ name: "match", data }] : undefined)),
  ),
  violating("stream/match-count-fits-matches", "match-count-zero")(
    "Every progress of a search for repositories counts no matches, whatever was found.",
    uncounted,
  ),
  violating("stream/match-count-fits-matches", "match-count-too-low")(
    "Every progress of a search that finds several files counts one match.",
    replaceEach(({ name, data }, { given }) =>
      name === "progress" && isPayloadObject(data) && Number(data["matchCount"]) > 1 && given.get("cm") === "true"
        ? [{ name, data: { ...data, matchCount: 1 } }]
        : undefined,
    ),
  ),
  violating("stream/repositories-count-fits-matches", "repositories-count-of-all")(
    "The final progress of a search that found something counts a hundred repositories more.",
    replaceEach(({ name, data }) =>
      isPayloadObject(data) && isFinalProgress({ name, data }) && Number(data["repositoriesCount"]) > 0
        ? [{ name, data: { ...data, repositoriesCount: Number(data["repositoriesCount"]) + 100 } }]
        : undefined,
    ),
  ),
  violating("stream/results-precede-final-progress", "matches-after-final")(
    "The last matches come after the final progress.",
    lastOneAfterFinal("matches"),
  ),
  violating("stream/results-precede-final-progress", "filters-after-final")(
    "The last filters come after the final progress.",
    lastOneAfterFinal("filters"),
  ),
  violating("stream/match-count-never-falls", "match-count-falls")(
    "The first running progress counts far more matches than the next ones.",
    increased("matchCount", moreThanAnySearchFinds),
  ),
  violating("stream/duration-never-falls", "duration-falls")(
    "The first running progress tells an hour more than the next ones.",
    increased("durationMs", oneHourMs),
  ),
];
