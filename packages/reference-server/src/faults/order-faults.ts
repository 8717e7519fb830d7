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
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault } from "./fault.ts";
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
  {
    id: "filters-shrink",
    title: "a filter that is gone again",
    description: "The second filters lack the first entry of the first ones.",
    kind: "violation",
    attacks: "stream/filters-only-grow",
    ...forgetFirst,
  },
  {
    id: "filter-counts-too-many",
    title: "a filter that keeps more than was found",
    description: "Suggested languages or repositories that count everything count a hundred times as many matches.",
    kind: "violation",
    attacks: "stream/filter-count-fits-matches",
    parameters: { kind: { title: "kind of the filters", default: "lang", choices: ["lang", "repo"] } },
    ...changeElements("filters", (filter, { values }) =>
      filter["kind"] === values["kind"] && filter["exhaustive"] === true && Number(filter["count"]) > 0
        ? { ...filter, count: Number(filter["count"]) * 100 }
        : undefined,
    ),
  },
  {
    id: "no-final-progress",
    title: "no final progress",
    description:
      "The progress that ends a search which found something is left out, or says that the search still runs.",
    kind: "violation",
    attacks: "stream/final-progress-before-done",
    parameters: howParameter(endings),
    ...otherEnding,
  },
  {
    id: "progress-runs-again",
    title: "a running progress after the final one",
    description: "The final progress is followed by one with `done` false.",
    kind: "violation",
    attacks: "stream/progress-stays-final",
    ...replaceFirst(isFinalProgress, (event) => [event, runningAgain(event)]),
  },
  {
    id: "final-progress-twice",
    title: "two final progress events",
    description: "The final progress is sent twice.",
    kind: "violation",
    attacks: "stream/one-final-progress",
    ...replaceFirst(isFinalProgress, (event) => [event, event]),
  },
  {
    id: "final-without-repositories-count",
    title: "a final progress without repositoriesCount",
    description: "The final progress of a search with results lacks `repositoriesCount`.",
    kind: "violation",
    attacks: "stream/final-progress-counts-repositories",
    ...changeFirstObject(isFinalProgress, lacking("repositoriesCount")),
  },
  {
    id: "final-without-zero-count",
    title: "a final progress that leaves a count of zero out",
    description: "The final progress of a search without results lacks `repositoriesCount`.",
    kind: "violation",
    attacks: "stream/final-progress-counts-repositories",
    ...replaceFirst(
      ({ name, data }) => isPayloadObject(data) && isFinalProgress({ name, data }) && data["matchCount"] === 0,
      ({ name, data }) => [{ name, data: isPayloadObject(data) ? without(data, "repositoriesCount") : data }],
    ),
  },
  {
    id: "repositories-not-counted",
    title: "a final progress that counts no repositories",
    description: "The `repositoriesCount` of a search with results is 0.",
    kind: "violation",
    attacks: "stream/repositories-count-covers-matches",
    ...replaceFirst(
      ({ name, data }) =>
        isPayloadObject(data) && isFinalProgress({ name, data }) && Number(data["repositoriesCount"]) > 0,
      ({ name, data }) => [{ name, data: isPayloadObject(data) ? { ...data, repositoriesCount: 0 } : data }],
    ),
  },
  {
    id: "matches-under-another-name",
    title: "matches under another name",
    description: "Every `matches` comes as an event `match`.",
    kind: "violation",
    attacks: "stream/match-count-fits-matches",
    ...replaceEach(({ name, data }) => (name === "matches" ? [{ name: "match", data }] : undefined)),
  },
  {
    id: "match-count-zero",
    title: "a match count of zero",
    description: "Every progress of a search for repositories counts no matches, whatever was found.",
    kind: "violation",
    attacks: "stream/match-count-fits-matches",
    ...uncounted,
  },
  {
    id: "match-count-too-low",
    title: "a match count that is too low",
    description: "Every progress of a search that finds several files counts one match.",
    kind: "violation",
    attacks: "stream/match-count-fits-matches",
    ...replaceEach(({ name, data }, { given }) =>
      name === "progress" && isPayloadObject(data) && Number(data["matchCount"]) > 1 && given.get("cm") === "true"
        ? [{ name, data: { ...data, matchCount: 1 } }]
        : undefined,
    ),
  },
  {
    id: "repositories-count-of-all",
    title: "a count of all repositories",
    description: "The final progress of a search that found something counts a hundred repositories more.",
    kind: "violation",
    attacks: "stream/repositories-count-fits-matches",
    ...replaceEach(({ name, data }) =>
      isPayloadObject(data) && isFinalProgress({ name, data }) && Number(data["repositoriesCount"]) > 0
        ? [{ name, data: { ...data, repositoriesCount: Number(data["repositoriesCount"]) + 100 } }]
        : undefined,
    ),
  },
  {
    id: "matches-after-final",
    title: "matches after the final progress",
    description: "The last matches come after the final progress.",
    kind: "violation",
    attacks: "stream/results-precede-final-progress",
    ...lastOneAfterFinal("matches"),
  },
  {
    id: "filters-after-final",
    title: "filters after the final progress",
    description: "The last filters come after the final progress.",
    kind: "violation",
    attacks: "stream/results-precede-final-progress",
    ...lastOneAfterFinal("filters"),
  },
  {
    id: "match-count-falls",
    title: "a match count that falls",
    description: "The first running progress counts far more matches than the next ones.",
    kind: "violation",
    attacks: "stream/match-count-never-falls",
    ...increased("matchCount", moreThanAnySearchFinds),
  },
  {
    id: "duration-falls",
    title: "a duration that falls",
    description: "The first running progress tells an hour more than the next ones.",
    kind: "violation",
    attacks: "stream/duration-never-falls",
    ...increased("durationMs", oneHourMs),
  },
];
