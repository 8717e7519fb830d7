import { setTimeout as wait } from "node:timers/promises";
import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { changeFirstElement, isFinalProgress, isNamed, replaceFirst } from "./event-transforms.ts";
import { type Fault, type FaultEffect, type Variants, howParameter, legal, variantOf } from "./fault.ts";
import { rewriteEach } from "./frame-transforms.ts";

const withNewField = (value: unknown): unknown => (isPayloadObject(value) ? { ...value, addedLater: true } : value);

const withNewFields = ({ name, data }: SearchEvent): SearchEvent => ({
  name,
  data: isPayloadArray(data) ? data.map(withNewField) : withNewField(data),
});

const isMatches = isNamed("matches");
const isDone = isNamed("done");

const newFieldsEverywhere: FaultEffect = {
  layer: "events",
  async *apply(events, run) {
    for await (const event of events) {
      // The data of `done` is closed: `{}`.
      if (isDone(event)) {
        yield event;
        continue;
      }
      run.applied();
      yield withNewFields(event);
    }
  },
};

const byteByByte: FaultEffect = {
  layer: "bytes",
  async *apply(chunks, run) {
    let left = Number(run.values["bytes"]);
    for await (const chunk of chunks) {
      const single = Math.min(left, chunk.length);
      left -= single;
      for (let index = 0; index < single; index += 1) {
        run.applied();
        yield chunk.subarray(index, index + 1);
      }
      if (single < chunk.length) {
        yield chunk.subarray(single);
      }
    }
  },
};

/** How many newlines are missing at the end. */
const lastNewlines: Variants<number> = { "one-missing": 1, "both-missing": 2 };

const lateStart: FaultEffect = {
  layer: "bytes",
  async *apply(chunks, run) {
    const { signal, values } = run;
    run.applied();
    await wait(Number(values["delayMs"]), undefined, { signal, ref: false }).catch(() => undefined);
    yield* chunks;
  },
};

/** Oddities that the document permits. No rule may speak about them. */
export const legalVariations: readonly Fault[] = [
  legal("one-byte-chunks")("The beginning of the stream arrives in chunks of one byte.", byteByByte, {
    bytes: { title: "number of bytes sent one by one", default: 4096 },
  }),
  legal("late-start")("The response starts after a delay.", lateStart, {
    delayMs: { title: "milliseconds before the first byte", default: 1000 },
  }),
  legal("new-fields")("Every object but that of `done` has one more field.", newFieldsEverywhere),
  legal("unlisted-event")(
    "An event `notice` precedes the first matches.",
    replaceFirst(isMatches, (event) => [{ name: "notice", data: { text: "warming up" } }, event]),
  ),
  legal("data-before-event")(
    "The two lines of every event change places.",
    rewriteEach((text) => text.replace(/^(event: .*)\n(data: .*)\n\n$/u, "$2\n$1\n\n")),
  ),
  legal("no-space-after-colon")(
    "The fields of every event have no space after their colon.",
    rewriteEach((text) => text.replace(/^event: /u, "event:").replace(/\ndata: /u, "\ndata:")),
  ),
  legal("no-last-separator")(
    "The stream ends after the data line of `done`, or with the last character of it.",
    rewriteEach((text, run) =>
      /^(?:event: done\n|data: \{\}\nevent: done\n)/u.test(text)
        ? text.slice(0, -(variantOf(lastNewlines, run) ?? 1))
        : text,
    ),
    howParameter(lastNewlines),
  ),
  legal("hunks-array")(
    "The `hunks` of the first content match are an empty array instead of null.",
    changeFirstElement(
      "matches",
      (match) => match["type"] === "content",
      (match) => ({ ...match, hunks: [] }),
    ),
  ),
  legal("alert-after-final")(
    "An alert stands between the final progress and `done`.",
    replaceFirst(isFinalProgress, (event) => [
      event,
      { name: "alert", data: { title: "Permissions syncing in progress", proposedQueries: null } },
    ]),
  ),
  legal("large-event")(
    "The first match carries many bytes in its field `debug`.",
    changeFirstElement(
      "matches",
      () => true,
      // Before the rest: a reader that keeps the beginning of what is too long has lost the match.
      (match, { values }) => ({ debug: "x".repeat(Number(values["bytes"])), ...match }),
    ),
    { bytes: { title: "number of bytes added", default: 16 * 1024 * 1024 } },
  ),
];
