import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { FaultEffect } from "./fault.ts";

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
  fits: EventTest,
  replace: (event: SearchEvent) => readonly SearchEvent[],
): EventEffect => ({
  layer: "events",
  async *apply(events, run) {
    let replaced = false;
    for await (const event of events) {
      if (replaced || !fits(event)) {
        yield event;
        continue;
      }
      replaced = true;
      run.applied();
      yield* replace(event);
    }
  },
});

/** An effect that changes the object data of the first event that fits. */
export const changeFirstObject = (fits: EventTest, change: (data: PayloadObject) => PayloadObject): EventEffect =>
  replaceFirst(
    (event) => fits(event) && isPayloadObject(event.data),
    ({ name, data }) => [{ name, data: isPayloadObject(data) ? change(data) : data }],
  );

/** An effect that changes one element, the first that fits, of the first event of a name that has one. */
export const changeFirstElement = (
  name: string,
  fits: (element: PayloadObject) => boolean,
  change: (element: PayloadObject) => PayloadObject,
): EventEffect => {
  const position = (data: unknown): number =>
    isPayloadArray(data) ? data.findIndex((element) => isPayloadObject(element) && fits(element)) : -1;
  const changed = (data: unknown): unknown => {
    const index = position(data);
    return isPayloadArray(data)
      ? data.map((element, at) => (at === index && isPayloadObject(element) ? change(element) : element))
      : data;
  };
  return replaceFirst(
    (event) => event.name === name && position(event.data) >= 0,
    (event) => [{ name, data: changed(event.data) }],
  );
};

/** An object without one of its fields. */
export const without = (data: PayloadObject, field: string): PayloadObject =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== field));
