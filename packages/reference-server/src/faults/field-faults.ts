import { isRunningProgress } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { rewriteFirst } from "./frame-transforms.ts";

const attacks = "stream/two-fields";

/** Puts a line before the empty one that ends the event. */
const withLastLine = (line: string) => (text: string) => `${text.slice(0, -1)}${line}\n\n`;

const withoutLine = (field: string) => (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith(`${field}:`))
    .join("\n");

/** Faults in the fields of one event. All take hold of a progress of the running search, so that no result is lost. */
export const fieldFaults: readonly Fault[] = [
  {
    id: "third-field",
    title: "a third field in an event",
    description: "The first running progress has a third line `extra: 1`.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withLastLine("extra: 1")),
  },
  {
    id: "not-a-field",
    title: "a line that is not a field",
    description: "The first running progress has a third line without a colon.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withLastLine("still searching")),
  },
  {
    id: "comment",
    title: "a comment between events",
    description: "A block `: ping` stands before the first running progress, the way many servers keep a stream alive.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, (text) => `: ping\n\n${text}`),
  },
  {
    id: "id-field",
    title: "an id field",
    description: "The first running progress has a third line `id: 1`.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withLastLine("id: 1")),
  },
  {
    id: "retry-field",
    title: "a retry field",
    description: "The first running progress has a third line `retry: 3000`.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withLastLine("retry: 3000")),
  },
  {
    id: "missing-event",
    title: "an event without its event field",
    description: "The first running progress has only its data line.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withoutLine("event")),
  },
  {
    id: "missing-data",
    title: "an event without its data field",
    description: "The first running progress has only its event line.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withoutLine("data")),
  },
  {
    id: "repeated-event",
    title: "an event field twice",
    description: "The first running progress has its event line twice.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, (text) => `event: progress\n${text}`),
  },
  {
    id: "repeated-data",
    title: "a data field twice",
    // An empty second line: joined the way event streams do it, the data is still the same JSON.
    description: "The first running progress has a second, empty data line.",
    kind: "violation",
    attacks,
    ...rewriteFirst(isRunningProgress, withLastLine("data:")),
  },
];
