import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { EventEffect } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";

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

/** Faults in the course of `filters`. */
export const filterFaults: readonly Fault[] = [
  {
    id: "filters-shrink",
    title: "a filter that is gone again",
    description: "The second filters lack the first entry of the first ones.",
    kind: "violation",
    attacks: "stream/filters-only-grow",
    ...forgetFirst,
  },
];
