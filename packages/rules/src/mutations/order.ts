import { Buffer } from "node:buffer";
import { member } from "@assay/reading";
import { deleteSpan, insertBytes, removeMember, applySplices, replaceValue } from "@assay/evidence";
import {
  editBody,
  elementsWithPointers,
  eventMutation,
  eventSites,
  siteMutation,
  firstMiddleAndLast,
  withChunks,
  withStatus,
} from "./mutation.ts";
import type { Mutation, MutationsByRule, Site } from "./mutation.ts";
import { closedEarlyMutation, laterFetchMutation, leftOpenMutation } from "./response-end.ts";
import {
  finalProgressSitesWhere,
  finalProgressSites,
  isFinalProgress,
  findFinalProgress,
  numberMutation,
} from "./final-progress.ts";
import type { EditableEvent, ProofEvidence, EditableSearch } from "./proof-evidence.ts";

const hasName =
  (name: string) =>
  ({ event }: EditableEvent): boolean =>
    event.name === name;

const copyBlock = (search: EditableSearch, { event, endOffset }: EditableEvent): Uint8Array =>
  Buffer.from(search.body().subarray(event.offset, endOffset));

const eventSpan = ({ event, endOffset }: EditableEvent) => ({ offset: event.offset, length: endOffset - event.offset });

/** Creates a mutation that moves the last event with a name after the final `progress` event. Earlier `filters` would contradict later ones. */
const afterFinalProgressMutation = (name: "matches" | "filters"): Mutation =>
  eventMutation(
    {
      name: `sends \`${name}\` after the final progress`,
      needs: `a search that sends \`${name}\``,
      effect: `sent \`${name}\` after the final progress`,
      splices(event, search) {
        const last = findFinalProgress(search);
        return last === undefined || last.event.offset < event.event.offset
          ? []
          : [deleteSpan(eventSpan(event)), insertBytes(last.endOffset, copyBlock(search, event))];
      },
    },
    (event, _, all) => event === all.findLast(hasName(name)),
  );

const needsTwoProgressEvents = "a search that sends `progress` more than once";

/** Creates a mutation in which a number of a `progress` event exceeds the number in the next one. */
const exceedsNextMutation = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  key: string,
): Mutation => ({
  ...mutation,
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const progress = events().filter(hasName("progress"));
      const pairs = progress.slice(1).map((next, index) => ({ next, before: progress[index] }));
      for (const { next, before } of firstMiddleAndLast(pairs)) {
        const count = member(next.event.value, key);
        if (before !== undefined && typeof count === "number") {
          yield* editBody(exchange, effect, [replaceValue(before.data, `/${key}`, count + 1)]);
        }
      }
    }
  },
});

const isSearchEvent = ({ event }: EditableEvent): boolean => ["matches", "filters", "progress"].includes(event.name);

/** Removes the alert from a stream without search events. */
const missingAlertMutation: Mutation = {
  name: "ends a stream without a search and without an alert",
  needs: "a search that is refused by an alert",
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const alerts = events().filter(hasName("alert"));
      if (alerts.length > 0 && !events().some(isSearchEvent)) {
        yield* editBody(
          exchange,
          "left the alert out",
          alerts.map((alert) => deleteSpan(eventSpan(alert))),
        );
      }
    }
  },
};

/** Gives a search an error status. */
const noStreamMutation: Mutation = {
  name: "responds to a search without a stream",
  needs: "a search without parameters and without `count:`, and others before and after it",
  removesObservations: true,
  *edits({ searches }) {
    for (const { exchange } of searches) {
      for (const status of [404, 500, 302]) {
        yield { effect: "responded to a search without a stream", replacements: [withStatus(exchange, status)] };
      }
    }
  },
};

/** Removes the alerts of every search. */
const unreportedQueryMutation: Mutation = {
  name: "does not report a query that it cannot understand",
  needs: "a search for a broken regular expression whose response has an alert",
  removesObservations: true,
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const alerts = events().filter(hasName("alert"));
      yield* editBody(
        exchange,
        "left the alert out",
        alerts.map((alert) => deleteSpan(eventSpan(alert))),
      );
    }
  },
};

const toOneBurst = (search: EditableSearch) => {
  const chunks = [...search.exchange.chunks()];
  const atMicros = chunks.at(-1)?.atMicros ?? 0;
  return withChunks(
    search.exchange,
    chunks.map(({ bytes }) => ({ bytes, atMicros })),
  );
};

/** Delivers all results of each search at its end. */
const burstMutation: Mutation = {
  name: "sends all of a slow search in one burst at its end",
  needs: "a search that takes longer than a second and finds something before its end",
  removesObservations: true,
  *edits({ searches }) {
    const [first, ...more] = searches.map((search) => toOneBurst(search));
    if (first !== undefined) {
      yield { effect: "sent each search in one burst at its end", replacements: [first, ...more] };
    }
  },
};

const needsDuration = "a whole search with a duration";

/**
 * Sends the duration of the final `progress` event in a smaller unit. Searches shorter than `minMs` are skipped, because their durations
 * look plausible in that unit.
 */
const durationUnitMutation = (unit: string, unitsPerMs: number, minMs: number): Mutation =>
  numberMutation(
    {
      name: `sends its duration in ${unit}`,
      needs: needsDuration,
      effect: `sent its duration in ${unit}`,
    },
    ["durationMs", (before) => before * unitsPerMs],
    function* sites(evidence) {
      for (const site of finalProgressSites(evidence)) {
        if (Number(member(site.value, "durationMs")) >= minMs) {
          yield site;
        }
      }
    },
  );

const narrowingFilterSites = eventSites("filters", (value) =>
  elementsWithPointers(value).filter(
    ([, filter]) => member(filter, "exhaustive") === true && /^(?:lang|repo):/u.test(String(member(filter, "value"))),
  ),
);

const missingRepositoriesMutation = (name: string, sites: (evidence: ProofEvidence) => Iterable<Site>): Mutation =>
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
const filterCountMutation = (name: string, needs: string, count: number): Mutation => {
  const effect = `counted ${count} matches for a filter`;
  const splice = ({ json, pointer }: Site) => replaceValue(json, `${pointer}/count`, count);
  return siteMutation({ name, needs, effect, splice }, narrowingFilterSites);
};

/** Counts the different values of members, such as repositories, in the matches of a search. Matches without them do not count. */
const countDifferent = ({ events }: EditableSearch, ...members: readonly string[]): number =>
  new Set(
    events()
      .filter(hasName("matches"))
      .flatMap(({ event }) => elementsWithPointers(event.value))
      .map(([, match]) => members.map((name) => member(match, name)))
      .filter((values) => values.every((value) => value !== undefined))
      .map((values) => JSON.stringify(values)),
  ).size;

/** Creates a mutation of the final progress of each search that finds something in two of a kind. */
const countedOnceMutation = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  key: string,
  ...members: readonly string[]
): Mutation => ({
  ...mutation,
  *edits({ searches }) {
    for (const search of searches.filter((candidate) => countDifferent(candidate, ...members) > 1)) {
      const last = findFinalProgress(search);
      yield* editBody(search.exchange, effect, [
        last === undefined ? undefined : replaceValue(last.data, `/${key}`, 1),
      ]);
    }
  },
});

/** Mutations for the rules about the order of events and their counts. */
export const eventOrderMutations = {
  "stream/final-progress-before-done": [
    siteMutation(
      {
        name: "sends `done` false in every progress",
        needs: "a whole search",
        effect: "sent `done` false in the final progress",
        splice: ({ json }) => replaceValue(json, "/done", false),
      },
      finalProgressSites,
    ),
    eventMutation(
      {
        name: "leaves out the final progress",
        needs: "a whole search",
        effect: "left out the final progress",
        splices: (event) => [deleteSpan(eventSpan(event))],
      },
      // A stream without other search events contains no search that could finish.
      (event, _, all) => isFinalProgress(event) && all.some((other) => other !== event && isSearchEvent(other)),
    ),
  ],
  "stream/progress-stays-final": [
    eventMutation(
      {
        name: "continues with `done` false",
        needs: "a whole search",
        effect: "sent a progress with `done` false after the final one",
        splices(event, search) {
          const block = copyBlock(search, event);
          const { bytes, offset } = event.data;
          const continuation = replaceValue({ bytes, offset: offset - event.event.offset }, "/done", false);
          return [
            continuation === undefined ? undefined : insertBytes(event.endOffset, applySplices(block, [continuation])),
          ];
        },
      },
      isFinalProgress,
    ),
  ],
  "stream/one-final-progress": [
    eventMutation(
      {
        name: "sends the final progress twice",
        needs: "a whole search",
        effect: "sent the final progress twice",
        splices: (event, search) => [insertBytes(event.endOffset, copyBlock(search, event))],
      },
      isFinalProgress,
    ),
  ],
  "stream/final-progress-counts-repositories": [
    missingRepositoriesMutation("leaves `repositoriesCount` out", finalProgressSites),
    {
      ...missingRepositoriesMutation(
        "leaves `repositoriesCount` out if something matched",
        finalProgressSitesWhere(true),
      ),
      isOptional: true,
    },
    {
      ...missingRepositoriesMutation(
        "leaves `repositoriesCount` out if nothing matched",
        finalProgressSitesWhere(false),
      ),
      isOptional: true,
    },
  ],
  "stream/repositories-count-covers-matches": [
    numberMutation(
      {
        name: "counts no repositories although there are matches",
        needs: "a search that finds something",
        effect: "counted no repositories in the final progress",
      },
      ["repositoriesCount", () => 0],
      finalProgressSitesWhere(true),
    ),
    countedOnceMutation(
      {
        name: "counts one repository of several",
        needs: "a search that finds something in two repositories",
        isOptional: true,
        effect: "counted one repository of several",
      },
      "repositoriesCount",
      "repository",
    ),
  ],
  "stream/repositories-count-fits-matches": [
    numberMutation(
      {
        name: "counts every repository that it searched",
        needs: "a search for text with matches and nothing skipped",
        effect: "counted 4711 repositories in the final progress",
      },
      ["repositoriesCount", () => 4711],
      finalProgressSitesWhere(true),
    ),
  ],
  "stream/match-count-fits-matches": [
    numberMutation(
      {
        name: "counts no matches although there are some",
        needs: "a search that finds something",
        effect: "counted no matches in the final progress",
      },
      ["matchCount", () => 0],
      finalProgressSitesWhere(true),
    ),
    countedOnceMutation(
      {
        name: "counts fewer matches than files",
        needs: "a search that finds something in two files",
        isOptional: true,
        effect: "counted one match in the final progress",
      },
      "matchCount",
      "repository",
      "path",
    ),
    numberMutation(
      {
        name: "counts matches and sends none",
        needs: "a search that finds nothing",
        isOptional: true,
        effect: "counted three matches in the final progress of a search that found nothing",
      },
      ["matchCount", () => 3],
      finalProgressSitesWhere(false),
    ),
  ],
  "stream/counted-matches-came": [
    numberMutation(
      {
        name: "counts matches that it does not send",
        needs: "a search for one plain word with matches and nothing skipped",
        effect: "counted twice as many matches in the final progress",
      },
      ["matchCount", (before) => 2 * before],
      finalProgressSitesWhere(true),
    ),
  ],
  "stream/results-precede-final-progress": [
    afterFinalProgressMutation("matches"),
    { ...afterFinalProgressMutation("filters"), isOptional: true },
  ],
  "stream/match-count-never-falls": [
    exceedsNextMutation(
      {
        name: "counts fewer matches later",
        needs: needsTwoProgressEvents,
        effect: "counted one match more than in the next progress",
      },
      "matchCount",
    ),
  ],
  "stream/duration-never-falls": [
    exceedsNextMutation(
      {
        name: "sends a shorter duration later",
        needs: needsTwoProgressEvents,
        effect: "sent a duration longer than that of the next progress",
      },
      "durationMs",
    ),
  ],
  "stream/duration-fits-clock": [
    numberMutation(
      {
        name: "sends a longer duration than has passed",
        needs: needsDuration,
        effect: "sent a duration that is ten minutes longer",
      },
      ["durationMs", (before) => before + 600_000],
      finalProgressSites,
    ),
    { ...durationUnitMutation("microseconds", 1e3, 2), isOptional: true },
    laterFetchMutation,
  ],
  "stream/duration-is-in-milliseconds": [
    numberMutation(
      { name: "sends a point in time", needs: needsDuration, effect: "sent the time of day as its duration" },
      ["durationMs", (before) => 1_795_000_000_000 + before],
      finalProgressSites,
    ),
    numberMutation(
      {
        name: "sends a point in time in seconds",
        needs: needsDuration,
        isOptional: true,
        effect: "sent the time of day in seconds as its duration",
      },
      ["durationMs", () => 1_795_000_000],
      finalProgressSites,
    ),
    { ...durationUnitMutation("nanoseconds", 1e6, 4), isOptional: true },
  ],
  "stream/filter-count-fits-matches": [
    filterCountMutation(
      "counts more matches for a filter than it found",
      "a search that finds something and suggests a language or a repository as exhaustive",
      1_000_000,
    ),
    filterCountMutation(
      "counts nothing for a filter that keeps matches",
      "a search that finds something, and then suggests its language or its repository as exhaustive",
      0,
    ),
    {
      ...filterCountMutation(
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
          const filters = elementsWithPointers(event.value);
          // The filter is replaced, so that the later list is not empty.
          const [first] = filters;
          return [first === undefined ? undefined : replaceValue(data, `${first[0]}/value`, "lang:none-that-is-here")];
        },
      },
      (event, index, all) => hasName("filters")(event) && all.slice(0, index).some(hasName("filters")),
    ),
  ],
  "stream/problem-has-alert": [missingAlertMutation],
  "stream/answer-is-a-stream": [noStreamMutation],
  "stream/broken-query-has-alert": [unreportedQueryMutation],
  "stream/response-ends-after-done": [closedEarlyMutation, leftOpenMutation],
  "stream/results-arrive-incrementally": [burstMutation],
} as const satisfies MutationsByRule;
