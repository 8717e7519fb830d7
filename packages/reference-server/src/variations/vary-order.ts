import { isPayloadArray } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { Dice } from "./dice.ts";
import { emptyResult, newAlert, unlistedEvent } from "./inserted-events.ts";
import type { ServerHabits } from "./server-habits.ts";
import { growing } from "./vary-filters.ts";
import { splitMatches } from "./vary-match.ts";

const listOf = ({ data }: SearchEvent): readonly unknown[] => (isPayloadArray(data) ? data : []);

/** The same matches in the same order, cut into events otherwise. */
const regrouped = (matches: readonly unknown[], dice: Dice): readonly SearchEvent[] => {
  if (matches.length === 0) {
    return [];
  }
  const cuts = Array.from({ length: dice.whole(0, 6) }, () => dice.whole(0, matches.length));
  const ends = [...new Set([...cuts, matches.length])].filter((end) => end > 0).toSorted((one, other) => one - other);
  return ends.map((end, index) => ({ name: "matches", data: matches.slice(ends[index - 1] ?? 0, end) }));
};

/** How the order of one stream is varied. */
export interface OrderVariation {
  readonly dice: Dice;
  readonly habits: ServerHabits;
  /** Without, the final progress is the only one. */
  readonly hasRunningProgress: boolean;
}

/** Progress events may be fewer or more; their order stays, so nothing falls. */
const repeatedOrDropped = (
  progress: readonly SearchEvent[],
  { dice, hasRunningProgress }: OrderVariation,
): readonly SearchEvent[] =>
  hasRunningProgress ? progress.flatMap((event) => dice.pick([[event], [event], [event], [event, event], []])) : [];

/** Merges lists into one at random; each keeps its own order. */
const interleaved = (lists: readonly (readonly SearchEvent[])[], dice: Dice): readonly SearchEvent[] => {
  const queues = lists.map((list) => [...list]);
  const turns = dice.shuffled(queues.flatMap((queue) => queue.map(() => queue)));
  return turns.flatMap((queue) => queue.shift() ?? []);
};

/** What may stand anywhere before `done`: alerts, and events of unlisted names. */
const remarks = (dice: Dice, { isTalkative }: ServerHabits): readonly SearchEvent[] => {
  const some = [
    ...(dice.chance(0.25) ? [unlistedEvent(dice)] : []),
    ...(isTalkative && dice.chance(0.4) ? [newAlert(dice)] : []),
  ];
  return isTalkative ? some : some.filter(({ name }) => name !== "error");
};

const extras = ({ dice, habits }: OrderVariation): readonly SearchEvent[] => [
  ...remarks(dice, habits),
  ...(dice.chance(0.2) ? [emptyResult(dice)] : []),
];

/**
 * A stretch of a running search in another legal order: `matches`, `filters` and progress interleave freely, matches are
 * cut into events and elements otherwise, filters grow in more steps, progress comes more or less often, and alerts, empty results and events of
 * unlisted names may stand between. No match is added, lost or moved before another. Source: search-stream, sections 3 and 6.
 */
export const varyBody = (events: readonly SearchEvent[], variation: OrderVariation): readonly SearchEvent[] => {
  const { dice } = variation;
  const named = (name: string): readonly SearchEvent[] => events.filter((event) => event.name === name);
  const others = events.filter(({ name }) => !["matches", "filters", "progress"].includes(name));
  return interleaved(
    [
      regrouped(splitMatches(named("matches").flatMap(listOf), dice), dice),
      named("filters").flatMap((event) => growing(listOf(event), dice)),
      repeatedOrDropped(named("progress"), variation),
      others,
      extras(variation),
    ],
    dice,
  );
};

/** What follows the final progress: alerts and errors may, and events of unlisted names; `done` is last. */
export const varyTail = (
  events: readonly SearchEvent[],
  { dice, habits }: Pick<OrderVariation, "dice" | "habits">,
): readonly SearchEvent[] => [...events.slice(0, -1), ...dice.shuffled(remarks(dice, habits)), ...events.slice(-1)];
