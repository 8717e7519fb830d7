import { Buffer } from "node:buffer";
import { member } from "@assay/reading";
import { cutting, inserting, memberRemoved, spliced, valueReplaced } from "@assay/evidence";
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
import type { Mutation, Counterexamples, Site } from "./mutation.ts";
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

/** A mutation that copies events of a name behind the final progress. */
const lateMutation = (name: "matches" | "filters"): Mutation =>
  eventMutation(
    {
      name: `sends \`${name}\` after the final progress`,
      needs: `a search that sends \`${name}\``,
      what: `sent \`${name}\` after the final progress`,
      splices(event, search) {
        const last = lastProgress(search);
        return last === undefined || last.event.offset < event.event.offset
          ? []
          : [cutting(spanOf(event)), inserting(last.endOffset, blockOf(search, event))];
      },
    },
    isNamed(name),
  );

const twoProgress = "a search that sends `progress` more than once";

/** A mutation in which a number of a progress is larger than it is in the next one. */
const exceedsNext = (
  { what, ...mutation }: Omit<Mutation, "edits"> & { readonly what: string },
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
          yield* bodyEdit(exchange, what, [valueReplaced(before.data, `/${key}`, count + 1)]);
        }
      }
    }
  },
});

const isSearchEvent = ({ event }: EventText): boolean => ["matches", "filters", "progress"].includes(event.name);

/** Without any event of a search and without an alert. */
const silentMutation: Mutation = {
  name: "ends a stream without a search and without an alert",
  needs: "a search that is refused by an alert",
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const alerts = events().filter(isNamed("alert"));
      if (alerts.length > 0 && !events().some(isSearchEvent)) {
        yield* bodyEdit(
          exchange,
          "left the alert out",
          alerts.map((alert) => cutting(spanOf(alert))),
        );
      }
    }
  },
};

/** A search is answered with the status of an error. */
const errorMutation: Mutation = {
  name: "answers a search without a stream",
  needs: "a search without parameters and without a number, and others before and after it",
  takesWitness: true,
  *edits({ searches }) {
    for (const { exchange } of searches) {
      for (const status of [404, 500, 302]) {
        yield { what: "answered a search with a status and no stream", instead: [withStatus(exchange, status)] };
      }
    }
  },
};

/** A search that told of a problem says nothing of it. */
const brokenQueryMutation: Mutation = {
  name: "says nothing of a query that it cannot understand",
  needs: "a search for a broken regular expression that is answered with an alert",
  takesWitness: true,
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      const alerts = events().filter(isNamed("alert"));
      yield* bodyEdit(
        exchange,
        "left the alert out",
        alerts.map((alert) => cutting(spanOf(alert))),
      );
    }
  },
};

const heldBack = (search: SearchText) => {
  const chunks = [...search.exchange.chunks()];
  const atMicros = chunks.at(-1)?.atMicros ?? 0;
  return withChunks(
    search.exchange,
    chunks.map(({ bytes }) => ({ bytes, atMicros })),
  );
};

/** Everything of each search arrives at its end. */
const burstMutation: Mutation = {
  name: "sends all of a slow search in one burst at its end",
  needs: "a search that takes longer than a second and finds something before its end",
  takesWitness: true,
  *edits({ searches }) {
    const [first, ...more] = searches.map((search) => heldBack(search));
    if (first !== undefined) {
      yield { what: "sent each search in one burst at its end", instead: [first, ...more] };
    }
  },
};

const durationTold = "a whole search that tells its duration";

/** The final progress tells its time in a smaller unit; what was less than a millisecond was half of one. */
const inUnit = (unit: string, unitsPerMs: number): Mutation =>
  setsNumber(
    {
      name: `tells its duration in ${unit}`,
      needs: durationTold,
      what: `told its duration in ${unit}`,
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
      needs: "a whole search, that finds something or nothing",
      what: "left `repositoriesCount` out of the final progress",
      splice: ({ json }) => memberRemoved(json, "/repositoriesCount"),
    },
    sites,
  );

/** A suggestion with another count. */
const countsForFilter = (name: string, needs: string, count: number): Mutation => {
  const what = `counted ${count} matches for a filter`;
  const splice = ({ json, pointer }: Site) => valueReplaced(json, `${pointer}/count`, count);
  return siteMutation({ name, needs, what, splice }, narrowing);
};

/** Repositories of the matches of a search. */
const repositoriesIn = ({ events }: SearchText): number =>
  new Set(
    events()
      .filter(isNamed("matches"))
      .flatMap(({ event }) => elements(event.value).flatMap(([, match]) => member(match, "repository") ?? [])),
  ).size;

/** Counterexamples of the rules about the order of events and their counts. */
export const order = {
  "stream/final-progress-before-done": [
    siteMutation(
      {
        name: "says in no progress that it is the final one",
        needs: "a whole search",
        what: "sent `done` false in the final progress",
        splice: ({ json }) => valueReplaced(json, "/done", false),
      },
      finalSites,
    ),
    eventMutation(
      {
        name: "leaves out the final progress",
        needs: "a whole search",
        what: "left out the final progress",
        splices: (event) => [cutting(spanOf(event))],
      },
      // Without anything else of a search, there is none that could be finished.
      (event, _, all) => isFinal(event) && all.some((other) => other !== event && isSearchEvent(other)),
    ),
  ],
  "stream/progress-stays-final": [
    eventMutation(
      {
        name: "goes on with `done` false",
        needs: "a whole search",
        what: "sent a progress with `done` false after the final one",
        splices(event, search) {
          const block = blockOf(search, event);
          const { bytes, offset } = event.data;
          const goesOn = valueReplaced({ bytes, offset: offset - event.event.offset }, "/done", false);
          return [goesOn === undefined ? undefined : inserting(event.endOffset, spliced(block, [goesOn]))];
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
        what: "sent the final progress twice",
        splices: (event, search) => [inserting(event.endOffset, blockOf(search, event))],
      },
      isFinal,
    ),
  ],
  "stream/final-progress-counts-repositories": [
    withoutRepositories("leaves `repositoriesCount` out", finalSites),
    { ...withoutRepositories("leaves it out where something matched", finalOf(true)), isOptional: true },
    { ...withoutRepositories("leaves it out where nothing matched", finalOf(false)), isOptional: true },
  ],
  "stream/repositories-count-covers-matches": [
    setsNumber(
      {
        name: "counts no repositories though matches came",
        needs: "a search that finds something",
        what: "counted no repositories in the final progress",
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
            last === undefined ? undefined : valueReplaced(last.data, "/repositoriesCount", 1),
          ]);
        }
      },
    },
  ],
  "stream/repositories-count-fits-matches": [
    setsNumber(
      {
        name: "counts every repository that it searched",
        needs: "a search for text that finds something, of which nothing was skipped",
        what: "counted 4711 repositories in the final progress",
      },
      ["repositoriesCount", () => 4711],
      finalOf(true),
    ),
  ],
  "stream/match-count-fits-matches": [
    setsNumber(
      {
        name: "counts no matches though some came",
        needs: "a search that finds something",
        what: "counted no matches in the final progress",
      },
      ["matchCount", () => 0],
      finalOf(true),
    ),
    setsNumber(
      {
        name: "counts fewer matches than files came",
        needs: "a search that finds something in two files",
        isOptional: true,
        what: "counted one match in the final progress",
      },
      ["matchCount", () => 1],
      finalOf(true),
    ),
    setsNumber(
      {
        name: "counts matches and sends none",
        needs: "a search that finds nothing",
        isOptional: true,
        what: "counted three matches in the final progress of a search that found nothing",
      },
      ["matchCount", () => 3],
      finalOf(false),
    ),
  ],
  "stream/counted-matches-came": [
    setsNumber(
      {
        name: "counts matches that did not come",
        needs: "a search for one plain word that finds something, of which nothing was skipped",
        what: "counted twice as many matches in the final progress",
      },
      ["matchCount", (before) => 2 * before],
      finalOf(true),
    ),
  ],
  "stream/results-precede-final-progress": [lateMutation("matches"), { ...lateMutation("filters"), isOptional: true }],
  "stream/match-count-never-falls": [
    exceedsNext(
      {
        name: "counts fewer matches later",
        needs: twoProgress,
        what: "counted one match more than in the next progress",
      },
      "matchCount",
    ),
  ],
  "stream/duration-never-falls": [
    exceedsNext(
      {
        name: "sends a shorter duration later",
        needs: twoProgress,
        what: "sent a duration longer than that of the next progress",
      },
      "durationMs",
    ),
  ],
  "stream/duration-fits-clock": [
    setsNumber(
      {
        name: "tells a longer time than passed",
        needs: durationTold,
        what: "told a duration that is ten minutes longer",
      },
      ["durationMs", (before) => before + 600_000],
      finalSites,
    ),
    { ...inUnit("microseconds", 1e3), isOptional: true },
    fetchedLater,
  ],
  "stream/duration-is-in-milliseconds": [
    setsNumber(
      { name: "sends a point in time", needs: durationTold, what: "sent the time of day for its duration" },
      ["durationMs", (before) => 1_795_000_000_000 + before],
      finalSites,
    ),
    setsNumber(
      {
        name: "sends a point in time in seconds",
        needs: durationTold,
        isOptional: true,
        what: "sent the time of day in seconds for its duration",
      },
      ["durationMs", () => 1_795_000_000],
      finalSites,
    ),
    { ...inUnit("nanoseconds", 1e6), isOptional: true },
  ],
  "stream/filter-count-fits-matches": [
    countsForFilter(
      "counts more for a filter than was found",
      "a search that finds something and suggests a language or a repository as exhaustive",
      1_000_000,
    ),
    countsForFilter(
      "counts nothing for a filter that keeps something",
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
        what: "left a filter of an earlier `filters` out of a later one",
        splices: ({ event, data }) => {
          const filters = elements(event.value);
          // A filter in the place of another one, so that the later list is not empty.
          const [first] = filters;
          return [first === undefined ? undefined : valueReplaced(data, `${first[0]}/value`, "lang:none-that-is-here")];
        },
      },
      (event, index, all) => isNamed("filters")(event) && all.slice(0, index).some(isNamed("filters")),
    ),
  ],
  "stream/problem-has-alert": [silentMutation],
  "stream/answer-is-a-stream": [errorMutation],
  "stream/broken-query-has-alert": [brokenQueryMutation],
  "stream/response-ends-after-done": [closedEarly, leftOpen],
  "stream/results-arrive-incrementally": [burstMutation],
} as const satisfies Counterexamples;
