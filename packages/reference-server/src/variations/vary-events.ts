import { isFinalProgress, isRunningProgress } from "../faults/event-transforms.ts";
import type { Random } from "../seeded-random.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { createDice, type Dice } from "./dice.ts";
import { emptyProgress, newAlert } from "./inserted-events.ts";
import { type ServerHabits, serverHabits } from "./server-habits.ts";
import { createFilterVariation } from "./vary-filters.ts";
import { type PayloadVariation, varyPayload } from "./vary-payload.ts";
import { type OrderVariation, varyBody, varyTail } from "./vary-order.ts";

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
