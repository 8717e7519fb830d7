import { isNamed, isRunningProgress, replaceFirst } from "./event-transforms.ts";
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { rewriteBefore, rewriteEach, rewriteFirst } from "./frame-transforms.ts";

/** Puts a line before the empty one that ends the event. */
const withLastLine = (line: string) => (text: string) => `${text.slice(0, -1)}${line}\n\n`;

const withoutLine = (field: string) => (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith(`${field}:`))
    .join("\n");

const isDone = isNamed("done");

/** The beginning of a text value that every kind of match has. */
const valueStart = '"repository":"';

/** Bytes that are no character: none begins with them, or the character has a shorter form, or is half of a pair, or is cut. */
const noCharacters: Variants<Buffer> = {
  "no-start": Buffer.of(0xff),
  continuation: Buffer.of(0x80),
  overlong: Buffer.of(0xc0, 0xaf),
  surrogate: Buffer.of(0xed, 0xa0, 0x80),
  cut: Buffer.of(0xe2, 0x82),
  "too-large": Buffer.of(0xf4, 0x90, 0x80, 0x80),
};

/** Data that is no JSON, each made of the array that was meant. */
const noJson: Variants<(json: string) => string> = {
  comma: (json) => json.replace(/\]$/u, ",]"),
  "single-quotes": (json) => json.replaceAll('"', "'"),
  nan: (json) => json.replace(/"count":\d+/u, '"count":NaN'),
  "two-values": (json) => `${json} ${json}`,
  cut: (json) => json.slice(0, -1),
  empty: () => "",
};

const blankLines: Variants<(text: string) => string> = { after: (text) => `${text}\n`, before: (text) => `\n${text}` };

/** White space between the tokens of JSON may be a carriage return, so that the data stays what it was. */
const lineEnds: Variants<(text: string) => string> = {
  everywhere: (text) => text.replaceAll("\n", "\r\n"),
  "in-the-line": (text) => text.replace(/^data: (.)/mu, "data: $1\r"),
};

/** What of the last event is there. */
const ends: Variants<(text: string) => string> = {
  "half-of-the-data": (text) => text.replace(/\}\n\n$/u, ""),
  "no-data": (text) => text.replace(/(?<=\n)data: .*\n\n$/u, ""),
  "half-of-a-field": (text) => text.replace(/(?<=\nda)ta: .*\n\n$/u, ""),
};

const spoiltByte = (text: string, run: FaultRun): Buffer | undefined => {
  const at = text.indexOf(valueStart);
  if (at < 0) {
    return undefined;
  }
  const before = Buffer.from(text.slice(0, at + valueStart.length));
  const after = Buffer.from(text.slice(at + valueStart.length + 1));
  return Buffer.concat([before, variantOf(noCharacters, run) ?? Buffer.alloc(0), after]);
};

const lateBytes: Variants<string> = { space: " ", "line-feed": "\n", comment: ": bye\n\n" };
const lastWords: Variants<unknown> = { member: { reason: "finished" }, null: null, list: [], text: "" };

/**
 * Faults in fields, line ends, blank lines, encoding, JSON, and in how a stream ends. Those in one event take hold of a progress of
 * the running search, so that no result is lost.
 */
export const framingFaults: readonly Fault[] = [
  {
    id: "third-field",
    title: "a third field in an event",
    description: "The first running progress has a third line `extra: 1`.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withLastLine("extra: 1")),
  },
  {
    id: "not-a-field",
    title: "a line that is not a field",
    description: "The first running progress has a third line without a colon.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withLastLine("still searching")),
  },
  {
    id: "comment",
    title: "a comment between events",
    description: "A block `: ping` stands before the first running progress, the way many servers keep a stream alive.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, (text) => `: ping\n\n${text}`),
  },
  {
    id: "id-field",
    title: "an id field",
    description: "The first running progress has a third line `id: 1`.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withLastLine("id: 1")),
  },
  {
    id: "retry-field",
    title: "a retry field",
    description: "The first running progress has a third line `retry: 3000`.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withLastLine("retry: 3000")),
  },
  {
    id: "empty-event-name",
    title: "an event field without a name",
    description: "The event line of the first running progress names no type.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, (text) => text.replace("event: progress\n", "event: \n")),
  },
  {
    id: "missing-event",
    title: "an event without its event field",
    description: "The first running progress has only its data line.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withoutLine("event")),
  },
  {
    id: "missing-data",
    title: "an event without its data field",
    description: "The first running progress has only its event line.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withoutLine("data")),
  },
  {
    id: "repeated-event",
    title: "an event field twice",
    description: "The first running progress has its event line twice.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, (text) => `event: progress\n${text}`),
  },
  {
    id: "repeated-data",
    title: "a data field twice",
    // An empty second line: joined the way event streams do it, the data is still the same JSON.
    description: "The first running progress has a second, empty data line.",
    kind: "violation",
    attacks: "stream/two-fields",
    ...rewriteFirst(isRunningProgress, withLastLine("data:")),
  },
  {
    id: "crlf",
    title: "lines end with CR LF",
    description:
      "Every line feed of the stream has a carriage return before it, or the data of each event has one inside.",
    kind: "violation",
    attacks: "stream/lines-end-with-lf",
    parameters: howParameter(lineEnds),
    ...rewriteEach((text, run) => variantOf(lineEnds, run)?.(text) ?? text),
  },
  {
    id: "extra-blank-line",
    title: "two blank lines between events",
    description: "The first event is followed by three line feeds, or preceded by one.",
    kind: "violation",
    attacks: "stream/one-blank-line-between-events",
    parameters: howParameter(blankLines),
    ...rewriteFirst(
      (event) => !isDone(event),
      (text, run) => variantOf(blankLines, run)?.(text),
    ),
  },
  {
    id: "missing-blank-line",
    title: "no blank line between two events",
    description: "The first event that is followed by another one before `done` ends with one line feed.",
    kind: "violation",
    attacks: "stream/one-blank-line-between-events",
    ...rewriteBefore(
      (_event, next) => !isDone(next),
      (text) => text.slice(0, -1),
    ),
  },
  {
    id: "unterminated",
    title: "a last event that is cut off",
    description: "The stream ends in the middle of the data of `done`, or before its data.",
    kind: "violation",
    attacks: "stream/last-event-is-complete",
    parameters: howParameter(ends),
    ...rewriteFirst(isDone, (text, run) => variantOf(ends, run)?.(text) ?? text),
  },
  {
    id: "bom",
    title: "a byte order mark",
    description: "The stream starts with the bytes EF BB BF.",
    kind: "violation",
    attacks: "stream/no-byte-order-mark",
    ...rewriteFirst(
      () => true,
      (text) => `\u{feff}${text}`,
    ),
  },
  {
    id: "invalid-utf8",
    title: "a byte that is not UTF-8",
    description:
      "One letter inside a text of the first matches is the byte FF, or other bytes that are no character; decoded leniently the data is still JSON.",
    kind: "violation",
    attacks: "stream/text-is-utf-8",
    parameters: howParameter(noCharacters),
    ...rewriteFirst(isNamed("matches"), spoiltByte),
  },
  {
    id: "data-not-json",
    title: "data that is not JSON",
    description: "The array of the first filters has a comma after its last element, or is spoilt in another way.",
    kind: "violation",
    attacks: "stream/data-is-json",
    parameters: howParameter(noJson),
    ...rewriteFirst(isNamed("filters"), (text, run) =>
      text.replace(/(?<=\ndata: ).*/u, (json) => variantOf(noJson, run)?.(json) ?? json),
    ),
  },
  {
    id: "bytes-after-done",
    title: "bytes after done",
    description: "One space follows the end of the last event, or a line feed, or a comment.",
    kind: "violation",
    attacks: "stream/done-is-last",
    parameters: howParameter(lateBytes),
    ...rewriteFirst(isDone, (text, run) => `${text}${variantOf(lateBytes, run) ?? ""}`),
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
    ...replaceFirst(isDone, ({ name }, run) => [{ name, data: variantOf(lastWords, run) }]),
  },
];
