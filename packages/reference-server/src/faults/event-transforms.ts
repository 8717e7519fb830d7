import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import type { Frame } from "../service/stream/frame.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import type { EffectAt } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

export type EventEffect = EffectAt<"events">;
type EventTest = (event: SearchEvent) => boolean;

/** What stands in the place of an item: others, none or several; `undefined` leaves it. */
type Replace<Item> = (item: Item) => Iterable<Item> | AsyncIterable<Item> | undefined;

/** A test for events of some names. */
export const isNamed =
  (...names: readonly string[]): EventTest =>
  ({ name }) =>
    names.includes(name);

const isProgressWith =
  (done: boolean): EventTest =>
  ({ name, data }) =>
    name === "progress" && isPayloadObject(data) && data["done"] === done;

/** Whether an event is a progress of a search that still runs. */
export const isRunningProgress = isProgressWith(false);
/** Whether an event is a progress of a finished search. */
export const isFinalProgress = isProgressWith(true);

/** A test whether something that fits has come, this time or before. */
export const hasCome = (fits: EventTest): EventTest => {
  let has = false;
  return (event) => (has ||= fits(event));
};

/** The first answer of a function that is not `undefined`, and `undefined` ever after. */
export const once = <Item, Answer>(ask: (item: Item) => Answer | undefined): ((item: Item) => Answer | undefined) => {
  let isAnswered = false;
  return (item) => {
    const answer = isAnswered ? undefined : ask(item);
    isAnswered ||= answer !== undefined;
    return answer;
  };
};

/** Items some of which are replaced, which is told to the journal. */
export async function* replaced<Item>(
  items: AsyncIterable<Item>,
  run: FaultRun,
  replace: Replace<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const others = replace(item);
    if (others === undefined) {
      yield item;
      continue;
    }
    run.applied();
    yield* others;
  }
}

/** An effect that replaces events. `start` is called for each stream, and may keep in mind what came in it. */
export const replaceEvents = (start: (run: FaultRun) => Replace<SearchEvent>): EventEffect => ({
  layer: "events",
  apply: (events, run) => replaced(events, run, start(run)),
});

/** An effect that puts other events in the place of the first one that fits. */
export const replaceFirst = (
  fits: EventTest,
  replace: (event: SearchEvent, run: FaultRun) => readonly SearchEvent[],
): EventEffect => replaceEvents((run) => once((event) => (fits(event) ? replace(event, run) : undefined)));

/** An effect that puts an event of its own behind the final progress. */
export const afterFinal = (name: string, data: unknown): EventEffect =>
  replaceFirst(isFinalProgress, (event) => [event, { name, data }]);

/** Changes an object; `undefined` leaves it. */
type Change = (object: PayloadObject, run: FaultRun) => unknown;

/** The elements of a list after a change of the objects in it; `undefined` where none is changed. */
export const changedElements = (
  list: unknown,
  change: (object: PayloadObject) => unknown,
): readonly unknown[] | undefined => {
  const elements = isPayloadArray(list) ? list : [];
  const changed = elements.map((element) => (isPayloadObject(element) ? change(element) : undefined));
  return changed.every((other) => other === undefined)
    ? undefined
    : elements.map((element, index) => (changed[index] === undefined ? element : changed[index]));
};

const changeData = (which: string | EventTest, change: (run: FaultRun) => (object: PayloadObject) => unknown) => {
  const fits = typeof which === "string" ? isNamed(which) : which;
  return replaceEvents((run) => {
    const changeIt = change(run);
    return (event) => {
      const { data, name } = event;
      const changed = fits(event)
        ? isPayloadObject(data)
          ? changeIt(data)
          : changedElements(data, changeIt)
        : undefined;
      return changed === undefined ? undefined : [{ name, data: changed }];
    };
  });
};

/** An effect that changes the objects of all events that are meant: their data, or the elements of it where it is a list. */
export const changeEach = (which: string | EventTest, change: Change): EventEffect =>
  changeData(which, (run) => (object) => change(object, run));

/** An effect that changes the first object, and no other, for which `change` gives something. */
export const changeFirst = (which: string | EventTest, change: Change): EventEffect =>
  changeData(which, (run) => once((object) => change(object, run)));

type FrameEffect = EffectAt<"frames">;
type Text = string | Buffer;

const rewriteFrames = (start: () => (frame: Frame) => Text | undefined): FrameEffect => ({
  layer: "frames",
  apply: (frames, run) => {
    const rewrite = start();
    return replaced(frames, run, (frame) => {
      const text = rewrite(frame);
      return text === undefined ? undefined : [{ event: frame.event, bytes: Buffer.from(text) }];
    });
  },
});

/** An effect that rewrites the text of every event. */
export const rewriteEach = (rewrite: (text: string) => Text): FrameEffect =>
  rewriteFrames(
    () =>
      ({ bytes }) =>
        rewrite(bytes.toString("utf8")),
  );

/** An effect that rewrites the text of the first event that fits; `undefined` leaves one and waits for the next. */
export const rewriteFirst = (fits: EventTest, rewrite: (text: string) => Text | undefined): FrameEffect =>
  rewriteFrames(() => once(({ bytes, event }) => (fits(event) ? rewrite(bytes.toString("utf8")) : undefined)));

/** An object without one of its fields. */
export const without = (data: PayloadObject, field: string): PayloadObject =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== field));
