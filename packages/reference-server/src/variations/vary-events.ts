import { isFinalProgress, isRunningProgress, without } from "../faults/event-transforms.ts";
import type { Random } from "../service/seeded-random.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import { createDice, type Dice } from "./dice.ts";
import type { ServerHabits } from "./server-habits.ts";
import { withAddedMembers } from "./added-members.ts";
import { splitMatches, varyMatch } from "./vary-match.ts";
import { varyOptionalMembers } from "./optional-members.ts";

const alerts = [
  { level: "info" },
  { title: "No results", description: "**Nothing** was found.\n\n* try less", type: "info", proposedQueries: null },
  { messages: [{ text: "a backend did not answer", level: "warning" }] },
  { title: "Some results have no owners", kind: "unowned-results", level: "info", proposedQueries: [] },
  { message: "something went wrong", level: "error" },
  { title: "Permissions syncing in progress", severity: "warning", proposedQueries: [{ query: "a", annotations: [] }] },
] as const;

/** Events with names that the specification does not list. */
const unlistedEvents: readonly [SearchEvent, ...SearchEvent[]] = [
  { name: "notice", data: { text: "warming up" } },
  { name: "heartbeat", data: null },
  { name: "x-debug.v2", data: "a text, not an object" },
  { name: "Matches", data: { type: "not what the name suggests" } },
  { name: "error", data: { message: "a backend did not answer" } },
  { name: "stats", data: [1, 2.5, "three", null] },
];

const emptyResults: readonly [SearchEvent, ...SearchEvent[]] = [
  { name: "matches", data: [] },
  { name: "filters", data: [] },
];

/** Creates an alert. The specification does not describe its data. Source: search-stream, sections 6 and 7. */
const createAlert = (dice: Dice): SearchEvent => ({ name: "alert", data: dice.pick<unknown>(alerts) });

/** Returns a `progress` event of a search without results. */
export const emptyProgress = (done: boolean): SearchEvent => ({
  name: "progress",
  data: { done, ...(done ? { repositoriesCount: 0 } : {}), matchCount: 0, durationMs: 0, skipped: [] },
});

const filterKinds = ["utility", "type", "lang", "repo", "file", "symbol type", "author", "topic", ""] as const;

const language = 'lang:"jupyter notebook"';

/** Creates a filter. A filter for an unused language matches nothing. Filters that extend a search may have any count. */
const createFilter = (dice: Dice): object => {
  const value = dice.pick(["archived:yes", language, String.raw`-file:_test\.\w+$`]);
  return {
    value,
    label: dice.pick(["Include archived repos", "<b>Jupyter</b> \u{1f600}", ""]),
    count: value === language ? 0 : dice.pick([0, 1, 2_000_000_000]),
    exhaustive: dice.chance(0.5),
    kind: dice.pick(filterKinds),
  };
};

const otherKind = (entry: unknown, dice: Dice): unknown =>
  isPayloadObject(entry) && dice.chance(0.1) ? { ...entry, kind: dice.pick(filterKinds) } : entry;

const readFilterValue = (entry: unknown): unknown => (isPayloadObject(entry) ? entry["value"] : undefined);

/**
 * Varies the filter lists of one stream: different kinds, a different order, more or fewer entries. An entry is kept in all later lists.
 * Source: search-stream, sections 2.1 and 6.
 */
const createFilterVariation = (dice: Dice): ((list: readonly unknown[]) => readonly unknown[]) => {
  const sentEntries = new Map<unknown, unknown>();
  return (list) => {
    const keptEntries = dice.chance(0.2) ? list.slice(dice.integer(0, list.length)) : list;
    const grownEntries = dice.chance(0.2) ? [...keptEntries, createFilter(dice)] : keptEntries;
    const currentValues = new Set(grownEntries.map(readFilterValue));
    const allEntries = [
      ...grownEntries,
      ...[...sentEntries].filter(([value]) => !currentValues.has(value)).map(([, entry]) => entry),
    ];
    allEntries.forEach((entry) => sentEntries.set(readFilterValue(entry), entry));
    const orderedEntries = dice.chance(0.2) ? dice.shuffle(allEntries) : allEntries;
    return orderedEntries.map((entry) => otherKind(entry, dice));
  };
};

/** Splits one `filters` event into several growing ones. Source: search-stream, section 6. */
const growList = (list: readonly unknown[], dice: Dice): readonly SearchEvent[] => {
  const steps = dice.chance(0.3) ? dice.integer(1, 3) : 0;
  const sizes = Array.from({ length: steps }, () => dice.integer(0, list.length)).toSorted((a, b) => a - b);
  return [...sizes, list.length].map((partSize) => ({ name: "filters", data: list.slice(0, partSize) }));
};

const listEntries = ({ data }: SearchEvent): readonly unknown[] => (isPayloadArray(data) ? data : []);

/** Divides the matches into different events. Preserves their order. */
const regroupMatches = (matches: readonly unknown[], dice: Dice): readonly SearchEvent[] => {
  if (matches.length === 0) {
    return [];
  }
  const cuts = Array.from({ length: dice.integer(0, 6) }, () => dice.integer(0, matches.length));
  const ends = [...new Set([...cuts, matches.length])].filter((end) => end > 0).toSorted((a, b) => a - b);
  return ends.map((end, index) => ({ name: "matches", data: matches.slice(ends[index - 1] ?? 0, end) }));
};

/** The variation of one stream. */
interface StreamVariation {
  readonly dice: Dice;
  readonly habits: ServerHabits;
  /** Whether there are `progress` events before the final one. */
  readonly hasRunningProgress: boolean;
  /** Varies each list of filters, in order. */
  readonly varyFilters: (list: readonly unknown[]) => readonly unknown[];
  /** Probability that a member is added to an object. */
  readonly addedMemberProbability: number;
}

/** Drops or repeats `progress` events. Preserves their order, so that no number decreases. */
const repeatOrDrop = (
  progress: readonly SearchEvent[],
  { dice, hasRunningProgress }: StreamVariation,
): readonly SearchEvent[] =>
  hasRunningProgress ? progress.flatMap((event) => dice.pick([[event], [event], [event], [event, event], []])) : [];

/** Randomly merges lists. Each keeps its own order. */
const interleaveEvents = (lists: readonly (readonly SearchEvent[])[], dice: Dice): readonly SearchEvent[] => {
  const queues = lists.map((list) => [...list]);
  const turns = dice.shuffle(queues.flatMap((queue) => queue.map(() => queue)));
  return turns.flatMap((queue) => queue.shift() ?? []);
};

/** Events that may occur anywhere before `done`: alerts, and unlisted events. */
const createRemarks = (dice: Dice, { reportsProblems }: ServerHabits): readonly SearchEvent[] => {
  const remarks = [
    ...(dice.chance(0.25) ? [dice.pick(unlistedEvents)] : []),
    ...(reportsProblems && dice.chance(0.4) ? [createAlert(dice)] : []),
  ];
  return reportsProblems ? remarks : remarks.filter(({ name }) => name !== "error");
};

/**
 * Reorders part of a running search within the specification. `matches`, `filters` and `progress` interleave freely. Matches are divided
 * into different events and elements, filters grow in more steps, and `progress` occurs more or less often. Alerts, empty results and
 * unlisted events are added. Matches are not added, lost or reordered. Source: search-stream, sections 3 and 6.
 */
const varyBody = (events: readonly SearchEvent[], variation: StreamVariation): readonly SearchEvent[] => {
  const { dice, habits } = variation;
  const selectEvents = (name: string): readonly SearchEvent[] => events.filter((event) => event.name === name);
  const otherEvents = events.filter(({ name }) => !["matches", "filters", "progress"].includes(name));
  return interleaveEvents(
    [
      regroupMatches(splitMatches(selectEvents("matches").flatMap(listEntries), dice), dice),
      selectEvents("filters").flatMap((event) => growList(listEntries(event), dice)),
      repeatOrDrop(selectEvents("progress"), variation),
      otherEvents,
      [...createRemarks(dice, habits), ...(dice.chance(0.2) ? [dice.pick(emptyResults)] : [])],
    ],
    dice,
  );
};

/** Creates events after the final `progress` event. Alerts, errors and unlisted events are permitted. `done` is last. */
const varyTail = (events: readonly SearchEvent[], { dice, habits }: StreamVariation): readonly SearchEvent[] => [
  ...events.slice(0, -1),
  ...dice.shuffle(createRemarks(dice, habits)),
  ...events.slice(-1),
];

const reasons = [
  "excluded-archive",
  "shard-match-limit",
  "repository-cloning",
  "repository-fork",
  "shard-timeout",
  "backend-missing",
  "repository-quarantined",
  "",
] as const;
const severities = ["info", "warn", "error", "notice"] as const;

const createSkippedEntry = (dice: Dice): PayloadObject => ({
  reason: dice.pick(reasons),
  title: dice.pick(["1 archived", "68k forked", ""]),
  message: "Two lines:\n* `one`\n* `two`",
  severity: dice.pick(severities),
  suggested: { title: "show more", queryExpression: "count:1000" },
});

const suggestions = [
  { title: "increase limit", queryExpression: "count:1000" },
  { title: "include archived", queryExpression: "archived:yes" },
] as const;

/** Varies skipped entries. An entry for a reached limit suggests `count:1000` with any title. Others need no suggestion. */
const otherSuggestion = (entry: PayloadObject, dice: Dice): PayloadObject =>
  entry["reason"] === "shard-match-limit"
    ? dice.pick([entry, { ...entry, suggested: { title: "", queryExpression: "count:1000" } }])
    : varyOptionalMembers(entry, { suggested: suggestions }, dice);

const otherEntries = (skippedList: unknown, { dice, habits }: StreamVariation): unknown => {
  if (!isPayloadArray(skippedList)) {
    return skippedList;
  }
  const entries = habits.reportsProblems && dice.chance(0.3) ? [...skippedList, createSkippedEntry(dice)] : skippedList;
  return entries.map((entry) => (isPayloadObject(entry) ? otherSuggestion(entry, dice) : entry));
};

/** Without skipped entries the list may be absent. */
const withoutEmptyList = (progress: PayloadObject, dice: Dice): PayloadObject => {
  const { skipped } = progress;
  return dice.chance(0.2) && isPayloadArray(skipped) && skipped.length === 0 ? without(progress, "skipped") : progress;
};

const traces = ["https://traces.example/t/1?a=b&c=%20#d", "/-/traces/1"] as const;

/**
 * Varies a `progress` event. The specification does not define the unit of `matchCount`, so all counts of a server may be larger by a
 * constant factor, as if some counted items were not in the results. Source: search-stream, section 2.2.
 */
const varyProgress = (progress: unknown, variation: StreamVariation): unknown =>
  isPayloadObject(progress)
    ? varyOptionalMembers(
        withoutEmptyList(
          {
            ...progress,
            matchCount: Number(progress["matchCount"]) * variation.habits.countFactor,
            skipped: otherEntries(progress["skipped"], variation),
          },
          variation.dice,
        ),
        { trace: traces },
        variation.dice,
      )
    : progress;

const otherForm = ({ data, name }: SearchEvent, variation: StreamVariation): unknown => {
  if (name === "progress") {
    return varyProgress(data, variation);
  }
  if (name === "matches" && isPayloadArray(data)) {
    return data.map((match) => varyMatch(match, variation));
  }
  return name === "filters" && isPayloadArray(data) ? variation.varyFilters(data) : data;
};

/** Reports the difference if a server counts more than it returns. The difference is not a limit of the search. */
const withLeftOutCount = (progress: unknown, { habits }: StreamVariation): unknown => {
  if (habits.countFactor === 1 || !isPayloadObject(progress)) {
    return progress;
  }
  const { skipped } = progress;
  const leftOut = { reason: "excluded-archive", title: "1 archived", message: "", severity: "info" };
  return { ...progress, skipped: [...(isPayloadArray(skipped) ? skipped : []), leftOut] };
};

const varyData = (event: SearchEvent, variation: StreamVariation): unknown => {
  const data = withAddedMembers(otherForm(event, variation), variation.dice, variation.addedMemberProbability);
  return event.name === "progress" ? withLeftOutCount(data, variation) : data;
};

/**
 * Varies the data of an event. The specification does not permit members in the data of `done`, so it is unchanged. Source:
 * search-stream, sections 2 and 6.
 */
const varyPayload = (event: SearchEvent, variation: StreamVariation): SearchEvent =>
  event.name === "done" ? event : { name: event.name, data: varyData(event, variation) };

/** Consumes the items of a stream one by one and returns those that can be sent. */
export interface Variation<Item> {
  readonly take: (item: Item) => readonly Item[];
  /** Returns the remaining items after the last one. */
  readonly end: () => readonly Item[];
}

/** Varies a stream without a search, which contains only alerts or errors, and `done`. May add a final `progress` event. */
const varyRefusal = (events: readonly SearchEvent[], dice: Dice): readonly SearchEvent[] => [
  ...(dice.chance(0.15) ? [createAlert(dice)] : []),
  ...events.slice(0, -1),
  ...(dice.chance(0.2) ? [emptyProgress(true)] : []),
  ...events.slice(-1),
];

/** Maximum number of events in a part. A part ends with a running `progress` event after a random number of events. */
const maxEventsToWaitFor = 9;

/** Creates the variation of one stream. It buffers about ten events, rarely more. */
export const createEventVariation = (random: Random, habits: ServerHabits): Variation<SearchEvent> => {
  const dice = createDice(random);
  const variation: StreamVariation = {
    dice,
    hasRunningProgress: dice.chance(0.9),
    habits,
    addedMemberProbability: dice.pick([0, 0.02, 0.2]),
    varyFilters: createFilterVariation(dice),
  };
  let leadingEvents = dice.chance(0.2) ? [emptyProgress(false)] : [];
  let heldEvents: SearchEvent[] = [];
  let size = dice.integer(1, maxEventsToWaitFor);
  const body = (events: readonly SearchEvent[]): readonly SearchEvent[] => {
    const allEvents = [...leadingEvents, ...events];
    leadingEvents = [];
    return varyBody(allEvents, variation);
  };
  const createEnding = (): readonly SearchEvent[] => {
    const finalIndex = heldEvents.findIndex(isFinalProgress);
    return finalIndex < 0
      ? varyRefusal(heldEvents, dice)
      : [
          ...body(heldEvents.slice(0, finalIndex)),
          ...heldEvents.slice(finalIndex, finalIndex + 1),
          ...varyTail(heldEvents.slice(finalIndex + 1), variation),
        ];
  };
  const releaseEvents = (events: readonly SearchEvent[]): readonly SearchEvent[] => {
    heldEvents = [];
    size = dice.integer(1, maxEventsToWaitFor);
    return events.map((event) => varyPayload(event, variation));
  };
  return {
    take: (event) => {
      heldEvents.push(event);
      return isRunningProgress(event) && heldEvents.length >= size ? releaseEvents(body(heldEvents)) : [];
    },
    end: () => releaseEvents(createEnding()),
  };
};
