import { isFinalProgress, isRunningProgress, without } from "../faults/event-transforms.ts";
import type { Random } from "../seeded-random.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { createDice } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { emptyProgress, newAlert } from "./inserted-events.ts";
import { serverHabits } from "./server-habits.ts";
import type { ServerHabits } from "./server-habits.ts";
import { createFilterVariation } from "./vary-filters.ts";
import { varyBody, varyTail } from "./vary-order.ts";
import type { OrderVariation } from "./vary-order.ts";
import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import { withAddedMembers } from "./added-members.ts";
import { varyMatch } from "./vary-match.ts";
import { withOtherOptionals } from "./optional-members.ts";

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

const newEntry = (dice: Dice): PayloadObject => ({
  reason: dice.pick(reasons),
  title: dice.pick(["1 archived", "68k forked", ""]),
  message: "Two lines:\n* `one`\n* `two`",
  severity: dice.pick(severities),
  suggested: { title: "show more", queryExpression: "count:1000" },
});

/** How the progress events of one stream are varied. */
interface ProgressVariation {
  readonly dice: Dice;
  readonly habits: ServerHabits;
}

const suggestions = [
  { title: "increase limit", queryExpression: "count:1000" },
  { title: "include archived", queryExpression: "archived:yes" },
] as const;

/** A limit that was reached suggests `count:1000`, under any title; other entries need not suggest anything. */
const otherSuggestion = (entry: PayloadObject, dice: Dice): PayloadObject =>
  entry["reason"] === "shard-match-limit"
    ? dice.pick([entry, { ...entry, suggested: { title: "", queryExpression: "count:1000" } }])
    : withOtherOptionals(entry, { suggested: suggestions }, dice);

const otherEntries = (skipped: unknown, { dice, habits }: ProgressVariation): unknown => {
  if (!isPayloadArray(skipped)) {
    return skipped;
  }
  const entries = habits.isTalkative && dice.chance(0.3) ? [...skipped, newEntry(dice)] : skipped;
  return entries.map((entry) => (isPayloadObject(entry) ? otherSuggestion(entry, dice) : entry));
};

/** At zero the count may be zero or absent. */
const otherRepositories = (progress: PayloadObject, dice: Dice): PayloadObject => {
  if (progress["done"] !== true || progress["matchCount"] !== 0) {
    return progress;
  }
  return dice.pick([progress, without(progress, "repositoriesCount"), { ...progress, repositoriesCount: 0 }]);
};

/** Without a reason there need not be a list of them. */
const withoutEmptyList = (progress: PayloadObject, dice: Dice): PayloadObject => {
  const { skipped } = progress;
  return dice.chance(0.2) && isPayloadArray(skipped) && skipped.length === 0 ? without(progress, "skipped") : progress;
};

const traces = ["https://traces.example/t/1?a=b&c=%20#d", "/-/traces/1", ""] as const;

/**
 * Another legal form of the same progress. What `matchCount` counts is not said, so all counts of one stream may be larger by
 * one factor, which is the same for all streams of a server. Source: search-stream, section 2.2.
 */
const varyProgress = (progress: unknown, variation: ProgressVariation): unknown =>
  isPayloadObject(progress)
    ? withOtherOptionals(
        withoutEmptyList(
          {
            ...otherRepositories(progress, variation.dice),
            matchCount: Number(progress["matchCount"]) * variation.habits.countFactor,
            skipped: otherEntries(progress["skipped"], variation),
          },
          variation.dice,
        ),
        { trace: traces },
        variation.dice,
      )
    : progress;

/** How the payloads of one stream are varied. */
interface PayloadVariation {
  readonly dice: Dice;
  readonly habits: ServerHabits;
  /** Another form for each list of filters, in their order. */
  readonly varyFilters: (list: readonly unknown[]) => readonly unknown[];
  /** How often an object gets a member more. */
  readonly addedMembers: number;
}

const otherForm = ({ data, name }: SearchEvent, variation: PayloadVariation): unknown => {
  if (name === "progress") {
    return varyProgress(data, variation);
  }
  if (name === "matches" && isPayloadArray(data)) {
    return data.map((match) => varyMatch(match, variation));
  }
  return name === "filters" && isPayloadArray(data) ? variation.varyFilters(data) : data;
};

/** Another legal payload for the same event. The data of `done` is closed and stays. Source: search-stream, sections 2 and 6. */
const varyPayload = (event: SearchEvent, variation: PayloadVariation): SearchEvent =>
  event.name === "done"
    ? event
    : {
        name: event.name,
        data: withAddedMembers(otherForm(event, variation), variation.dice, variation.addedMembers),
      };

/** Takes the events of one stream one by one and gives back what may be sent by then. */
export interface EventVariation {
  readonly take: (event: SearchEvent) => readonly SearchEvent[];
  /** What is left once the last event was taken. */
  readonly end: () => readonly SearchEvent[];
}

/** A stream without any search in it: only alerts or errors, and `done`. It may have a final progress all the same. */
const varyRefusal = (events: readonly SearchEvent[], dice: Dice): readonly SearchEvent[] => [
  ...(dice.chance(0.15) ? [newAlert(dice)] : []),
  ...events.slice(0, -1),
  ...(dice.chance(0.2) ? [emptyProgress(true)] : []),
  ...events.slice(-1),
];

/** A stretch ends with a running progress once it has as many events as a throw of the dice, at most so many. */
const mostEventsToWaitFor = 9;

/** A variation of one stream that holds back some ten events, rarely more. */
export const createEventVariation = (random: Random, habits: ServerHabits): EventVariation => {
  const dice = createDice(random);
  const variation: PayloadVariation & OrderVariation = {
    dice,
    hasRunningProgress: dice.chance(0.9),
    habits,
    addedMembers: dice.pick([0, 0.02, 0.2]),
    varyFilters: createFilterVariation(dice),
  };
  let leading = dice.chance(0.2) ? [emptyProgress(false)] : [];
  let held: SearchEvent[] = [];
  let size = dice.whole(1, mostEventsToWaitFor);
  const body = (events: readonly SearchEvent[]): readonly SearchEvent[] => {
    const all = [...leading, ...events];
    leading = [];
    return varyBody(all, variation);
  };
  const ending = (): readonly SearchEvent[] => {
    const final = held.findIndex(isFinalProgress);
    return final < 0
      ? varyRefusal(held, dice)
      : [...body(held.slice(0, final)), ...held.slice(final, final + 1), ...varyTail(held.slice(final + 1), variation)];
  };
  const given = (events: readonly SearchEvent[]): readonly SearchEvent[] => {
    held = [];
    size = dice.whole(1, mostEventsToWaitFor);
    return events.map((event) => varyPayload(event, variation));
  };
  return {
    take: (event) => {
      held.push(event);
      return isRunningProgress(event) && held.length >= size ? given(body(held)) : [];
    },
    end: () => given(ending()),
  };
};

/**
 * The events of a whole stream in another legal form; equal random numbers give equal events. Changes nothing that the
 * document fixes: `done` is last and empty, one progress is final, counts never fall, no match is added or lost.
 */
export const varyEvents = (events: readonly SearchEvent[], random: Random): readonly SearchEvent[] => {
  const { end, take } = createEventVariation(random, serverHabits(random));
  return [...events.flatMap(take), ...end()];
};
