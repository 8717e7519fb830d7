import { eventNames } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { EventLane, EventTick } from "@assay/results";
import { mergeTicks } from "./merge-ticks.ts";

/** One event to draw. */
export interface DrawnEvent extends Omit<EventTick, "events"> {
  /** Name as received. */
  readonly name: string;
}

/** Sorts arriving events into lanes. Memory does not grow with their number. */
export interface EventLanes {
  add(event: DrawnEvent): void;
  lanes(): readonly EventLane[];
}

/** Upper bound on the ticks of one lane. */
export const maxTicks = 200;

/** Upper bound on unlisted names with their own lane; further ones share one. */
const maxOtherNames = 6;

/** Name of the lane that further names share. */
export const othersLane = "(others)";

const nameLength = 40;

interface Lane {
  readonly event: string;
  events: number;
  ticks: EventTick[];
}

const documented: ReadonlySet<string> = new Set(eventNames);

/** Lanes of one stream. Documented names and the first other ones have lanes of their own, however many names arrive. */
export function createEventLanes(): EventLanes {
  const lanes = new Map<string, Lane>();
  let others = 0;
  let shared: Lane | undefined;
  const all: Lane[] = [];
  const open = (event: string): Lane => {
    const lane: Lane = { event, events: 0, ticks: [] };
    all.push(lane);
    return lane;
  };
  const laneOf = (name: string): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) {
      return known;
    }
    if (!documented.has(name)) {
      others += 1;
    }
    if (!documented.has(name) && others > maxOtherNames) {
      shared ??= open(othersLane);
      return shared;
    }
    const lane = open(visibleText(name, nameLength));
    lanes.set(name, lane);
    return lane;
  };
  return {
    add({ name, ...drawn }) {
      const lane = laneOf(name);
      lane.events += 1;
      lane.ticks.push({ ...drawn, events: 1 });
      if (lane.ticks.length >= 2 * maxTicks) {
        // Merges only when a lane is twice too long, so that the cost for each event stays low.
        lane.ticks = [...mergeTicks(lane.ticks, maxTicks)];
      }
    },
    lanes: () => all.map(({ event, events, ticks }) => ({ event, events, ticks: mergeTicks(ticks, maxTicks) })),
  };
}
