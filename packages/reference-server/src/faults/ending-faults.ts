import { isNamed, replaceFirst } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { chosenWay, howParameter, type Ways } from "./fault-ways.ts";
import { rewriteFirst } from "./frame-transforms.ts";

const isDone = isNamed("done");

const lateBytes: Ways<string> = { space: " ", "line-feed": "\n", comment: ": bye\n\n" };
const lastWords: Ways<unknown> = { member: { reason: "finished" }, null: null, list: [], text: "" };

/** Faults in how a stream ends. */
export const endingFaults: readonly Fault[] = [
  {
    id: "bytes-after-done",
    title: "bytes after done",
    description: "One space follows the end of the last event, or a line feed, or a comment.",
    kind: "violation",
    attacks: "stream/done-is-last",
    parameters: howParameter(lateBytes),
    ...rewriteFirst(isDone, (text, run) => `${text}${chosenWay(lateBytes, run) ?? ""}`),
  },
  {
    id: "done-twice",
    title: "done twice",
    description: "A second `done` follows the first.",
    kind: "violation",
    attacks: "stream/done-is-last",
    ...replaceFirst(isDone, (event) => [event, event]),
  },
  {
    id: "event-after-done",
    title: "another event after done",
    description: "An event `notice` follows `done`.",
    kind: "violation",
    attacks: "stream/done-is-last",
    ...replaceFirst(isDone, (event) => [event, { name: "notice", data: {} }]),
  },
  {
    id: "no-done",
    title: "no done",
    description: "The response ends properly, but without `done`.",
    kind: "violation",
    attacks: "stream/done-is-last",
    ...replaceFirst(isDone, () => []),
  },
  {
    id: "done-not-empty",
    title: "a done that says something",
    description: 'The data of `done` is `{"reason":"finished"}`, or something else that is no empty object.',
    kind: "violation",
    attacks: "stream/done-is-an-empty-object",
    parameters: howParameter(lastWords),
    ...replaceFirst(isDone, ({ name }, run) => [{ name, data: chosenWay(lastWords, run) }]),
  },
];
