import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import type { Frame } from "../service/stream/frame.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import type { EffectAt } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

export type EventEffect = EffectAt<"events">;
type EventTest = (event: SearchEvent) => boolean;

/** Replaces an item with any number of items. The item is unchanged if it returns undefined. */
type Replace<Item> = (item: Item) => Iterable<Item> | AsyncIterable<Item> | undefined;

/** Creates a test for events with one of these names. */
export const hasName =
  (...names: readonly string[]): EventTest =>
  ({ name }) =>
    names.includes(name);

const isProgressWith =
  (done: boolean): EventTest =>
  ({ name, data }) =>
    name === "progress" && isPayloadObject(data) && data["done"] === done;

/** Reports whether an event is a `progress` event of a running search. */
export const isRunningProgress = isProgressWith(false);
/** Reports whether an event is the final `progress` event. */
export const isFinalProgress = isProgressWith(true);

/** Creates a test that is true from the first matching event on. */
export const hasArrived = (isMatch: EventTest): EventTest => {
  let wasMatched = false;
  return (event) => (wasMatched ||= isMatch(event));
};

/** Wraps `find` so that it returns a value only once. Afterwards the wrapper returns undefined without calling `find`. */
export const once = <Item, Result>(find: (item: Item) => Result | undefined): ((item: Item) => Result | undefined) => {
  let isFound = false;
  return (item) => {
    const result = isFound ? undefined : find(item);
    isFound ||= result !== undefined;
    return result;
  };
};

/** Replaces items, and records replacements in the journal. */
export async function* replaceItems<Item>(
  items: AsyncIterable<Item>,
  run: FaultRun,
  replace: Replace<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const replacements = replace(item);
    if (replacements === undefined) {
      yield item;
      continue;
    }
    run.recordChange();
    yield* replacements;
  }
}

/** Replaces events. `start` is called once for each stream, so that the function it returns can have state. */
export const replaceEvents = (start: (run: FaultRun) => Replace<SearchEvent>): EventEffect => ({
  layer: "events",
  apply: (events, run) => replaceItems(events, run, start(run)),
});

/** Replaces the first matching event. */
export const replaceFirst = (
  isMatch: EventTest,
  replace: (event: SearchEvent, run: FaultRun) => readonly SearchEvent[],
): EventEffect => replaceEvents((run) => once((event) => (isMatch(event) ? replace(event, run) : undefined)));

/** Adds an event after the final `progress`. */
export const afterFinal = (name: string, data: unknown): EventEffect =>
  replaceFirst(isFinalProgress, (event) => [event, { name, data }]);

/** Changes an object. The object is unchanged if it returns undefined. */
type Change = (object: PayloadObject, run: FaultRun) => unknown;

/** Changes the objects in a list. Returns undefined if none changed. */
export const changedElements = (
  list: unknown,
  change: (object: PayloadObject) => unknown,
): readonly unknown[] | undefined => {
  const elements = isPayloadArray(list) ? list : [];
  const changes = elements.map((element) => (isPayloadObject(element) ? change(element) : undefined));
  return changes.every((value) => value === undefined)
    ? undefined
    : elements.map((element, index) => (changes[index] === undefined ? element : changes[index]));
};

const changeData = (nameOrTest: string | EventTest, change: (run: FaultRun) => (object: PayloadObject) => unknown) => {
  const isSelected = typeof nameOrTest === "string" ? hasName(nameOrTest) : nameOrTest;
  return replaceEvents((run) => {
    const changeObject = change(run);
    return (event) => {
      const { data, name } = event;
      const changedData = isSelected(event)
        ? isPayloadObject(data)
          ? changeObject(data)
          : changedElements(data, changeObject)
        : undefined;
      return changedData === undefined ? undefined : [{ name, data: changedData }];
    };
  });
};

/** Changes the data of all matching events. If the data is a list, changes its elements. */
export const changeEach = (nameOrTest: string | EventTest, change: Change): EventEffect =>
  changeData(nameOrTest, (run) => (object) => change(object, run));

/** Changes only the first object for which `change` returns a value. */
export const changeFirst = (nameOrTest: string | EventTest, change: Change): EventEffect =>
  changeData(nameOrTest, (run) => once((object) => change(object, run)));

type FrameEffect = EffectAt<"frames">;
type Text = string | Buffer;

const rewriteFrames = (start: () => (frame: Frame) => Text | undefined): FrameEffect => ({
  layer: "frames",
  apply: (frames, run) => {
    const rewrite = start();
    return replaceItems(frames, run, (frame) => {
      const text = rewrite(frame);
      return text === undefined ? undefined : [{ event: frame.event, bytes: Buffer.from(text) }];
    });
  },
});

/** Rewrites the text of every event. */
export const rewriteEach = (rewrite: (text: string) => Text): FrameEffect =>
  rewriteFrames(
    () =>
      ({ bytes }) =>
        rewrite(bytes.toString("utf8")),
  );

/** Rewrites the text of the first matching event. If `rewrite` returns `undefined`, tries the next one. */
export const rewriteFirst = (isMatch: EventTest, rewrite: (text: string) => Text | undefined): FrameEffect =>
  rewriteFrames(() => once(({ bytes, event }) => (isMatch(event) ? rewrite(bytes.toString("utf8")) : undefined)));

export const without = (data: PayloadObject, field: string): PayloadObject =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== field));
