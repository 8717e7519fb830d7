import { eventNames } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { EventLane, EventTick } from "@assay/results";
import { mergeTicks } from "./merge-ticks.ts";

/** One event to draw. */
export interface DrawnEvent extends Omit<EventTick, "events"> {
  /** Name as received. */
  readonly name: string;
}

/** Sorts arriving events into lanes. Memory use does not depend on the number of events. */
export interface EventLanes {
  add(event: DrawnEvent): void;
  lanes(): readonly EventLane[];
}

/** Maximum number of ticks in one lane. */
export const maxTicks = 200;

/** Maximum number of undocumented names with a lane of their own. All others share a lane. */
const maxOtherNames = 6;

/** Name of the shared lane. */
export const sharedLaneName = "(others)";

const maxNameLength = 40;

interface Lane {
  readonly event: string;
  events: number;
  ticks: EventTick[];
}

const documentedNames: ReadonlySet<string> = new Set(eventNames);

/** Creates the lanes of one stream. Documented names and the first undocumented ones have lanes of their own. */
export function createEventLanes(): EventLanes {
  const lanesByName = new Map<string, Lane>();
  let otherNameCount = 0;
  let sharedLane: Lane | undefined;
  const openLanes: Lane[] = [];
  const openLane = (event: string): Lane => {
    const lane: Lane = { event, events: 0, ticks: [] };
    openLanes.push(lane);
    return lane;
  };
  const findLane = (name: string): Lane => {
    const existingLane = lanesByName.get(name);
    if (existingLane !== undefined) {
      return existingLane;
    }
    if (!documentedNames.has(name)) {
      otherNameCount += 1;
    }
    if (!documentedNames.has(name) && otherNameCount > maxOtherNames) {
      sharedLane ??= openLane(sharedLaneName);
      return sharedLane;
    }
    const lane = openLane(visibleText(name, maxNameLength));
    lanesByName.set(name, lane);
    return lane;
  };
  return {
    add({ name, ...tick }) {
      const lane = findLane(name);
      lane.events += 1;
      lane.ticks.push({ ...tick, events: 1 });
      if (lane.ticks.length >= 2 * maxTicks) {
        // Merges only when a lane has twice the maximum, to keep the cost of each event low.
        lane.ticks = [...mergeTicks(lane.ticks, maxTicks)];
      }
    },
    lanes: () => openLanes.map(({ event, events, ticks }) => ({ event, events, ticks: mergeTicks(ticks, maxTicks) })),
  };
}
