import { isNamed, isRunningProgress, replaceFirst } from "./event-transforms.ts";
import { type Fault, type Variants, howParameter, oneOf, variantOf, violating } from "./fault.ts";
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
  violating("stream/two-fields", "third-field")(
    "The first running progress has a third line `extra: 1`.",
    rewriteFirst(isRunningProgress, withLastLine("extra: 1")),
  ),
  violating("stream/two-fields", "not-a-field")(
    "The first running progress has a third line without a colon.",
    rewriteFirst(isRunningProgress, withLastLine("still searching")),
  ),
  violating("stream/two-fields", "comment")(
    "A block `: ping` stands before the first running progress, the way many servers keep a stream alive.",
    rewriteFirst(isRunningProgress, (text) => `: ping\n\n${text}`),
  ),
  violating("stream/two-fields", "id-field")(
    "The first running progress has a third line `id: 1`.",
    rewriteFirst(isRunningProgress, withLastLine("id: 1")),
  ),
  violating("stream/two-fields", "retry-field")(
    "The first running progress has a third line `retry: 3000`.",
    rewriteFirst(isRunningProgress, withLastLine("retry: 3000")),
  ),
  violating("stream/two-fields", "empty-event-name")(
    "The event line of the first running progress names no type.",
    rewriteFirst(isRunningProgress, (text) => text.replace("event: progress\n", "event: \n")),
  ),
  violating("stream/two-fields", "missing-event")(
    "The first running progress has only its data line.",
    rewriteFirst(isRunningProgress, withoutLine("event")),
  ),
  violating("stream/two-fields", "missing-data")(
    "The first running progress has only its event line.",
    rewriteFirst(isRunningProgress, withoutLine("data")),
  ),
  violating("stream/two-fields", "repeated-event")(
    "The first running progress has its event line twice.",
    rewriteFirst(isRunningProgress, (text) => `event: progress\n${text}`),
  ),
  violating("stream/two-fields", "repeated-data")(
    // An empty second line: joined the way event streams do it, the data is still the same JSON.
    "The first running progress has a second, empty data line.",
    rewriteFirst(isRunningProgress, withLastLine("data:")),
  ),
  violating("stream/lines-end-with-lf", "crlf")(
    "Every line feed of the stream has a carriage return before it, or the data of each event has one inside.",
    oneOf(lineEnds, rewriteEach),
  ),
  violating("stream/one-blank-line-between-events", "extra-blank-line")(
    "The first event is followed by three line feeds, or preceded by one.",
    oneOf(blankLines, (rewrite) => rewriteFirst((event) => !isDone(event), rewrite)),
  ),
  violating("stream/one-blank-line-between-events", "missing-blank-line")(
    "The first event that is followed by another one before `done` ends with one line feed.",
    rewriteBefore(
      (_event, next) => !isDone(next),
      (text) => text.slice(0, -1),
    ),
  ),
  violating("stream/last-event-is-complete", "unterminated")(
    "The stream ends in the middle of the data of `done`, or before its data.",
    oneOf(ends, (rewrite) => rewriteFirst(isDone, rewrite)),
  ),
  violating("stream/no-byte-order-mark", "bom")(
    "The stream starts with the bytes EF BB BF.",
    rewriteFirst(
      () => true,
      (text) => `\u{feff}${text}`,
    ),
  ),
  violating("stream/text-is-utf-8", "invalid-utf8")(
    "One letter inside a text of the first matches is the byte FF, or other bytes that are no character; decoded leniently the data is still JSON.",
    rewriteFirst(isNamed("matches"), spoiltByte),
    howParameter(noCharacters),
  ),
  violating("stream/data-is-json", "data-not-json")(
    "The array of the first filters has a comma after its last element, or is spoilt in another way.",
    rewriteFirst(isNamed("filters"), (text, run) =>
      text.replace(/(?<=\ndata: ).*/u, (json) => variantOf(noJson, run)?.(json) ?? json),
    ),
    howParameter(noJson),
  ),
  violating("stream/done-is-last", "bytes-after-done")(
    "One space follows the end of the last event, or a line feed, or a comment.",
    rewriteFirst(isDone, (text, run) => `${text}${variantOf(lateBytes, run) ?? ""}`),
    howParameter(lateBytes),
  ),
  violating("stream/done-is-last", "done-twice")(
    "A second `done` follows the first.",
    replaceFirst(isDone, (event) => [event, event]),
  ),
  violating("stream/done-is-last", "event-after-done")(
    "An event `notice` follows `done`.",
    replaceFirst(isDone, (event) => [event, { name: "notice", data: {} }]),
  ),
  violating("stream/done-is-last", "no-done")(
    "The response ends properly, but without `done`.",
    replaceFirst(isDone, () => []),
  ),
  violating("stream/done-is-an-empty-object", "done-not-empty")(
    'The data of `done` is `{"reason":"finished"}`, or something else that is no empty object.',
    replaceFirst(isDone, ({ name }, run) => [{ name, data: variantOf(lastWords, run) }]),
    howParameter(lastWords),
  ),
];
