import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

export type EventEffect = Extract<FaultEffect, { layer: "events" }>;
type EventTest = (event: SearchEvent) => boolean;

const isProgressWith =
  (done: boolean): EventTest =>
  ({ name, data }) =>
    name === "progress" && isPayloadObject(data) && data["done"] === done;

/** Whether an event is a progress of a search that still runs. */
export const isRunningProgress = isProgressWith(false);
/** Whether an event is a progress of a finished search. */
export const isFinalProgress = isProgressWith(true);

/** A test for events of one name. */
export const isNamed =
  (wanted: string): EventTest =>
  ({ name }) =>
    name === wanted;

/** An effect that puts other events, none or several, in the place of the first event that fits. */
export const replaceFirst = (
  fits: (event: SearchEvent, run: FaultRun) => boolean,
  replace: (event: SearchEvent, run: FaultRun) => readonly SearchEvent[],
): EventEffect => ({
  layer: "events",
  async *apply(events, run) {
    let replaced = false;
    for await (const event of events) {
      if (replaced || !fits(event, run)) {
        yield event;
        continue;
      }
      replaced = true;
      run.applied();
      yield* replace(event, run);
    }
  },
});

/** An effect that puts other events in the place of every event for which `replace` gives some; `undefined` leaves it. */
export const replaceEach = (
  replace: (event: SearchEvent, run: FaultRun) => readonly SearchEvent[] | undefined,
): EventEffect => ({
  layer: "events",
  async *apply(events, run) {
    for await (const event of events) {
      const others = replace(event, run);
      if (others === undefined) {
        yield event;
        continue;
      }
      run.applied();
      yield* others;
    }
  },
});

/** An effect that changes the object data of the first event that fits. */
export const changeFirstObject = (
  fits: EventTest,
  change: (data: PayloadObject, run: FaultRun) => unknown,
): EventEffect =>
  replaceFirst(
    (event) => fits(event) && isPayloadObject(event.data),
    ({ name, data }, run) => [{ name, data: isPayloadObject(data) ? change(data, run) : data }],
  );

/** An effect that changes one element, the first that fits, of the first event of a name that has one. */
export const changeFirstElement = (
  name: string,
  fits: (element: PayloadObject, run: FaultRun) => boolean,
  change: (element: PayloadObject, run: FaultRun) => unknown,
): EventEffect => {
  const position = (data: unknown, run: FaultRun): number =>
    isPayloadArray(data) ? data.findIndex((element) => isPayloadObject(element) && fits(element, run)) : -1;
  const changed = (data: unknown, run: FaultRun): unknown => {
    const index = position(data, run);
    return isPayloadArray(data)
      ? data.map((element, at) => (at === index && isPayloadObject(element) ? change(element, run) : element))
      : data;
  };
  return replaceFirst(
    (event, run) => event.name === name && position(event.data, run) >= 0,
    (event, run) => [{ name, data: changed(event.data, run) }],
  );
};

/** An effect that changes elements of every event of a name; an element for which `change` gives `undefined` stays. */
export const changeElements = (
  name: string,
  change: (element: PayloadObject, run: FaultRun) => PayloadObject | undefined,
): EventEffect =>
  replaceEach((event, run) => {
    const elements = event.name === name && isPayloadArray(event.data) ? event.data : [];
    const changed = elements.map((element) => (isPayloadObject(element) ? change(element, run) : undefined));
    return changed.every((element) => element === undefined)
      ? undefined
      : [{ name, data: elements.map((element, index) => changed[index] ?? element) }];
  });

/** An effect that changes every progress; one for which `change` gives `undefined` stays. */
export const changeProgress = (
  change: (progress: PayloadObject, run: FaultRun) => PayloadObject | undefined,
): EventEffect =>
  replaceEach(({ name, data }, run) => {
    const changed = name === "progress" && isPayloadObject(data) ? change(data, run) : undefined;
    return changed === undefined ? undefined : [{ name, data: changed }];
  });

/** An object without one of its fields. */
export const without = (data: PayloadObject, field: string): PayloadObject =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== field));
