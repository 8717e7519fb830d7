import { Buffer } from "node:buffer";
import { member } from "@assay/reading";
import { deleteSpan, insertBytes, removeMember, applySplices, replaceValue } from "@assay/evidence";
import {
  bodyEdit,
  elements,
  eventMutation,
  eventSites,
  siteMutation,
  spread,
  withChunks,
  withStatus,
} from "./mutation.ts";
import type { Mutation, MutationsByRule, Site } from "./mutation.ts";
import { closedEarly, fetchedLater, leftOpen } from "./response-end.ts";
import { finalOf, finalSites, isFinal, lastProgress, setsNumber } from "./final-progress.ts";
import type { EventText, ProofEvidence, SearchText } from "./proof-evidence.ts";

const isNamed =
  (name: string) =>
  ({ event }: EventText): boolean =>
    event.name === name;

const blockOf = (search: SearchText, { event, endOffset }: EventText): Uint8Array =>
  Buffer.from(search.body().subarray(event.offset, endOffset));

const spanOf = ({ event, endOffset }: EventText) => ({ offset: event.offset, length: endOffset - event.offset });

/** A mutation that moves the events with one name after the final `progress` event. */
const afterFinalProgress = (name: "matches" | "filters"): Mutation =>
  eventMutation(
    {
      name: `sends \`${name}\` after the final progress`,
      needs: `a search that sends \`${name}\``,
      effect: `sent \`${name}\` after the final progress`,
      splices(event, search) {
        const last = lastProgress(search);
        return last === undefined || last.event.offset < event.event.offset
          ? []
          : [deleteSpan(spanOf(event)), insertBytes(last.endOffset, blockOf(search, event))];
      },
    },
    isNamed(name),
  );

const twoProgress = "a search that sends `progress` more than once";

/** A mutation in which a number of a `progress` event exceeds that of the next one. */
const exceedsNext = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  key: string,
): Mutation => ({
  ...mutation,
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const progress = events().filter(isNamed("progress"));
      const pairs = progress.slice(1).map((next, index) => ({ next, before: progress[index] }));
      for (const { next, before } of spread(pairs)) {
        const count = member(next.event.value, key);
        if (before !== undefined && typeof count === "number") {
          yield* bodyEdit(exchange, effect, [replaceValue(before.data, `/${key}`, count + 1)]);
        }
      }
    }
  },
});

const isSearchEvent = ({ event }: EventText): boolean => ["matches", "filters", "progress"].includes(event.name);

/** Removes the alert from a stream without search events. */
const alertLeftOut: Mutation = {
  name: "ends a stream without a search and without an alert",
  needs: "a search that is refused by an alert",
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const alerts = events().filter(isNamed("alert"));
      if (alerts.length > 0 && !events().some(isSearchEvent)) {
        yield* bodyEdit(
          exchange,
          "left the alert out",
          alerts.map((alert) => deleteSpan(spanOf(alert))),
        );
      }
    }
  },
};

/** Gives a search an error status. */
const statusWithoutStream: Mutation = {
  name: "responds to a search without a stream",
  needs: "a search without parameters and without `count:`, and others before and after it",
  removesObservations: true,
  *edits({ searches }) {
    for (const { exchange } of searches) {
      for (const status of [404, 500, 302]) {
        yield { effect: "responded to a search without a stream", instead: [withStatus(exchange, status)] };
      }
    }
  },
};

/** Removes the alerts of every search. */
const brokenQueryUnreported: Mutation = {
  name: "does not report a query that it cannot understand",
  needs: "a search for a broken regular expression whose response has an alert",
  removesObservations: true,
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const alerts = events().filter(isNamed("alert"));
      yield* bodyEdit(
        exchange,
        "left the alert out",
        alerts.map((alert) => deleteSpan(spanOf(alert))),
      );
    }
  },
};

const inOneBurst = (search: SearchText) => {
  const chunks = [...search.exchange.chunks()];
  const atMicros = chunks.at(-1)?.atMicros ?? 0;
  return withChunks(
    search.exchange,
    chunks.map(({ bytes }) => ({ bytes, atMicros })),
  );
};

/** Delivers all results of each search at its end. */
const sentInOneBurst: Mutation = {
  name: "sends all of a slow search in one burst at its end",
  needs: "a search that takes longer than a second and finds something before its end",
  removesObservations: true,
  *edits({ searches }) {
    const [first, ...more] = searches.map((search) => inOneBurst(search));
    if (first !== undefined) {
      yield { effect: "sent each search in one burst at its end", instead: [first, ...more] };
    }
  },
};

const withDuration = "a whole search with a duration";

/**
 * Sends the duration of the final `progress` event in a smaller unit. A duration of 0 is treated as half a millisecond.
 */
const inUnit = (unit: string, unitsPerMs: number): Mutation =>
  setsNumber(
    {
      name: `sends its duration in ${unit}`,
      needs: withDuration,
      effect: `sent its duration in ${unit}`,
    },
    ["durationMs", (before) => Math.max(0.5, before) * unitsPerMs],
    finalSites,
  );

const narrowing = eventSites("filters", (value) =>
  elements(value).filter(
    ([, filter]) => member(filter, "exhaustive") === true && /^(?:lang|repo):/u.test(String(member(filter, "value"))),
  ),
);

const withoutRepositories = (name: string, sites: (evidence: ProofEvidence) => Iterable<Site>): Mutation =>
  siteMutation(
    {
      name,
      needs: "a whole search, with or without matches",
      effect: "left `repositoriesCount` out of the final progress",
      splice: ({ json }) => removeMember(json, "/repositoriesCount"),
    },
    sites,
  );

/** Changes the count of a suggested filter. */
const countsForFilter = (name: string, needs: string, count: number): Mutation => {
  const effect = `counted ${count} matches for a filter`;
  const splice = ({ json, pointer }: Site) => replaceValue(json, `${pointer}/count`, count);
  return siteMutation({ name, needs, effect, splice }, narrowing);
};

/** The number of repositories in the matches of a search. */
const repositoriesIn = ({ events }: SearchText): number =>
  new Set(
    events()
      .filter(isNamed("matches"))
      .flatMap(({ event }) => elements(event.value).flatMap(([, match]) => member(match, "repository") ?? [])),
  ).size;

/** Mutations for the rules about the order of events and their counts. */
export const order = {
  "stream/final-progress-before-done": [
    siteMutation(
      {
        name: "sends `done` false in every progress",
        needs: "a whole search",
        effect: "sent `done` false in the final progress",
        splice: ({ json }) => replaceValue(json, "/done", false),
      },
      finalSites,
    ),
    eventMutation(
      {
        name: "leaves out the final progress",
        needs: "a whole search",
        effect: "left out the final progress",
        splices: (event) => [deleteSpan(spanOf(event))],
      },
      // A stream without other search events contains no search that could finish.
      (event, _, all) => isFinal(event) && all.some((other) => other !== event && isSearchEvent(other)),
    ),
  ],
  "stream/progress-stays-final": [
    eventMutation(
      {
        name: "continues with `done` false",
        needs: "a whole search",
        effect: "sent a progress with `done` false after the final one",
        splices(event, search) {
          const block = blockOf(search, event);
          const { bytes, offset } = event.data;
          const goesOn = replaceValue({ bytes, offset: offset - event.event.offset }, "/done", false);
          return [goesOn === undefined ? undefined : insertBytes(event.endOffset, applySplices(block, [goesOn]))];
        },
      },
      isFinal,
    ),
  ],
  "stream/one-final-progress": [
    eventMutation(
      {
        name: "sends the final progress twice",
        needs: "a whole search",
        effect: "sent the final progress twice",
        splices: (event, search) => [insertBytes(event.endOffset, blockOf(search, event))],
      },
      isFinal,
    ),
  ],
  "stream/final-progress-counts-repositories": [
    withoutRepositories("leaves `repositoriesCount` out", finalSites),
    { ...withoutRepositories("leaves `repositoriesCount` out if something matched", finalOf(true)), isOptional: true },
    { ...withoutRepositories("leaves `repositoriesCount` out if nothing matched", finalOf(false)), isOptional: true },
  ],
  "stream/repositories-count-covers-matches": [
    setsNumber(
      {
        name: "counts no repositories although there are matches",
        needs: "a search that finds something",
        effect: "counted no repositories in the final progress",
      },
      ["repositoriesCount", () => 0],
      finalOf(true),
    ),
    {
      name: "counts one repository of several",
      needs: "a search that finds something in two repositories",
      isOptional: true,
      *edits({ searches }) {
        for (const search of searches.filter((each) => repositoriesIn(each) > 1)) {
          const last = lastProgress(search);
          yield* bodyEdit(search.exchange, "counted one repository of several", [
            last === undefined ? undefined : replaceValue(last.data, "/repositoriesCount", 1),
          ]);
        }
      },
    },
  ],
  "stream/repositories-count-fits-matches": [
    setsNumber(
      {
        name: "counts every repository that it searched",
        needs: "a search for text with matches and nothing skipped",
        effect: "counted 4711 repositories in the final progress",
      },
      ["repositoriesCount", () => 4711],
      finalOf(true),
    ),
  ],
  "stream/match-count-fits-matches": [
    setsNumber(
      {
        name: "counts no matches although there are some",
        needs: "a search that finds something",
        effect: "counted no matches in the final progress",
      },
      ["matchCount", () => 0],
      finalOf(true),
    ),
    setsNumber(
      {
        name: "counts fewer matches than files",
        needs: "a search that finds something in two files",
        isOptional: true,
        effect: "counted one match in the final progress",
      },
      ["matchCount", () => 1],
      finalOf(true),
    ),
    setsNumber(
      {
        name: "counts matches and sends none",
        needs: "a search that finds nothing",
        isOptional: true,
        effect: "counted three matches in the final progress of a search that found nothing",
      },
      ["matchCount", () => 3],
      finalOf(false),
    ),
  ],
  "stream/counted-matches-came": [
    setsNumber(
      {
        name: "counts matches that it does not send",
        needs: "a search for one plain word with matches and nothing skipped",
        effect: "counted twice as many matches in the final progress",
      },
      ["matchCount", (before) => 2 * before],
      finalOf(true),
    ),
  ],
  "stream/results-precede-final-progress": [
    afterFinalProgress("matches"),
    { ...afterFinalProgress("filters"), isOptional: true },
  ],
  "stream/match-count-never-falls": [
    exceedsNext(
      {
        name: "counts fewer matches later",
        needs: twoProgress,
        effect: "counted one match more than in the next progress",
      },
      "matchCount",
    ),
  ],
  "stream/duration-never-falls": [
    exceedsNext(
      {
        name: "sends a shorter duration later",
        needs: twoProgress,
        effect: "sent a duration longer than that of the next progress",
      },
      "durationMs",
    ),
  ],
  "stream/duration-fits-clock": [
    setsNumber(
      {
        name: "sends a longer duration than has passed",
        needs: withDuration,
        effect: "sent a duration that is ten minutes longer",
      },
      ["durationMs", (before) => before + 600_000],
      finalSites,
    ),
    { ...inUnit("microseconds", 1e3), isOptional: true },
    fetchedLater,
  ],
  "stream/duration-is-in-milliseconds": [
    setsNumber(
      { name: "sends a point in time", needs: withDuration, effect: "sent the time of day as its duration" },
      ["durationMs", (before) => 1_795_000_000_000 + before],
      finalSites,
    ),
    setsNumber(
      {
        name: "sends a point in time in seconds",
        needs: withDuration,
        isOptional: true,
        effect: "sent the time of day in seconds as its duration",
      },
      ["durationMs", () => 1_795_000_000],
      finalSites,
    ),
    { ...inUnit("nanoseconds", 1e6), isOptional: true },
  ],
  "stream/filter-count-fits-matches": [
    countsForFilter(
      "counts more matches for a filter than it found",
      "a search that finds something and suggests a language or a repository as exhaustive",
      1_000_000,
    ),
    countsForFilter(
      "counts nothing for a filter that keeps matches",
      "a search that finds something, and then suggests its language or its repository as exhaustive",
      0,
    ),
    {
      ...countsForFilter(
        "counts one match for a filter of several files",
        "a search that finds something in two files, and suggests their language or repository as exhaustive",
        1,
      ),
      isOptional: true,
    },
  ],
  "stream/filters-only-grow": [
    eventMutation(
      {
        name: "leaves a filter out later",
        needs: "a search that sends `filters` twice",
        effect: "left a filter of an earlier `filters` out of a later one",
        splices: ({ event, data }) => {
          const filters = elements(event.value);
          // The filter is replaced, so that the later list is not empty.
          const [first] = filters;
          return [first === undefined ? undefined : replaceValue(data, `${first[0]}/value`, "lang:none-that-is-here")];
        },
      },
      (event, index, all) => isNamed("filters")(event) && all.slice(0, index).some(isNamed("filters")),
    ),
  ],
  "stream/problem-has-alert": [alertLeftOut],
  "stream/answer-is-a-stream": [statusWithoutStream],
  "stream/broken-query-has-alert": [brokenQueryUnreported],
  "stream/response-ends-after-done": [closedEarly, leftOpen],
  "stream/results-arrive-incrementally": [sentInOneBurst],
} as const satisfies MutationsByRule;
