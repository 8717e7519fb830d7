import { hasName, isRunningProgress, replaceFirst, rewriteEach, rewriteFirst } from "./event-transforms.ts";
import { type Fault, type Variants, selectVariant, defineViolation } from "./fault.ts";

type Rewrite = (text: string) => string;

/** Adds a line to the end of the event, before the empty line. */
const withLastLine =
  (line: string): Rewrite =>
  (text) =>
    `${text.slice(0, -1)}${line}\n\n`;

const withoutLine =
  (field: string): Rewrite =>
  (text) =>
    text.replace(new RegExp(`^${field}:.*\n`, "mu"), "");

const isDone = hasName("done");

/** Start of a string value that every kind of match contains. */
const valueStart = '"repository":"';

/** Invalid UTF-8: an invalid start byte, an overlong form, a surrogate half, a truncated character. */
const invalidCharacters: Variants<Buffer> = {
  "no-start": Buffer.of(0xff),
  continuation: Buffer.of(0x80),
  overlong: Buffer.of(0xc0, 0xaf),
  surrogate: Buffer.of(0xed, 0xa0, 0x80),
  cut: Buffer.of(0xe2, 0x82),
  "too-large": Buffer.of(0xf4, 0x90, 0x80, 0x80),
};

/** Changes that make an array invalid JSON. */
const invalidJson: Variants<Rewrite> = {
  comma: (json) => json.replace(/\]$/u, ",]"),
  "single-quotes": (json) => json.replaceAll('"', "'"),
  nan: (json) => json.replace(/"count":\d+/u, '"count":NaN'),
  "two-values": (json) => `${json} ${json}`,
  cut: (json) => json.slice(0, -1),
  empty: () => "",
};

const blankLines: Variants<Rewrite> = { after: (text) => `${text}\n`, before: (text) => `\n${text}` };

/** Changes to line endings. A carriage return is white space in JSON, so the data is unchanged. */
const lineEnds: Variants<Rewrite> = {
  everywhere: (text) => text.replaceAll("\n", "\r\n"),
  "in-the-line": (text) => text.replace(/^data: (.)/mu, "data: $1\r"),
};

/** Ways to cut off the last event. */
const cutEndings: Variants<Rewrite> = {
  "half-of-the-data": (text) => text.replace(/\}\n\n$/u, ""),
  "no-data": (text) => text.replace(/(?<=\n)data: .*\n\n$/u, ""),
  "half-of-a-field": (text) => text.replace(/(?<=\nda)ta: .*\n\n$/u, ""),
};

const replaceLetter = (text: string, letter: Buffer): Buffer | undefined => {
  const at = text.indexOf(valueStart) + valueStart.length;
  return at < valueStart.length
    ? undefined
    : Buffer.concat([Buffer.from(text.slice(0, at)), letter, Buffer.from(text.slice(at + 1))]);
};

const lateBytes: Variants<string> = { space: " ", "line-feed": "\n", comment: ": bye\n\n" };
const nonEmptyDoneData: Variants<unknown> = { member: { reason: "finished" }, null: null, list: [], text: "" };

/** Creates a fault in the fields of the first running `progress` event, so that no result is lost. */
const inFields = (id: string, description: string, rewrite: Rewrite): Fault =>
  defineViolation("stream/two-fields", id)(description, rewriteFirst(isRunningProgress, rewrite));

/** Faults in fields, line ends, blank lines, encoding, JSON, and the end of a stream. */
export const framingFaults: readonly Fault[] = [
  inFields("third-field", "The first running progress has a third line `extra: 1`.", withLastLine("extra: 1")),
  inFields(
    "not-a-field",
    "The first running progress has a third line without a colon.",
    withLastLine("still searching"),
  ),
  inFields(
    "comment",
    "A block `: ping` precedes the first running progress; many servers keep streams alive that way.",
    (text) => `: ping\n\n${text}`,
  ),
  inFields("id-field", "The first running progress has a third line `id: 1`.", withLastLine("id: 1")),
  inFields("retry-field", "The first running progress has a third line `retry: 3000`.", withLastLine("retry: 3000")),
  inFields("empty-event-name", "The event line of the first running progress does not contain a type.", (text) =>
    text.replace("event: progress\n", "event: \n"),
  ),
  inFields("missing-event", "The first running progress has only its data line.", withoutLine("event")),
  inFields("missing-data", "The first running progress has only its event line.", withoutLine("data")),
  inFields(
    "repeated-event",
    "The first running progress has its event line twice.",
    (text) => `event: progress\n${text}`,
  ),
  // Event stream parsers join the lines, so the data is the same JSON.
  inFields("repeated-data", "The first running progress has a second, empty data line.", withLastLine("data:")),
  defineViolation("stream/lines-end-with-lf", "crlf")(
    "Every line feed of the stream has a carriage return before it, or the data of each event has one inside.",
    selectVariant(lineEnds, rewriteEach),
  ),
  defineViolation("stream/one-blank-line-between-events", "extra-blank-line")(
    "The first event is followed by three line feeds, or preceded by one.",
    selectVariant(blankLines, (rewrite) => rewriteFirst((event) => !isDone(event), rewrite)),
  ),
  defineViolation("stream/one-blank-line-between-events", "missing-blank-line")(
    "The first filters or matches end with one line feed.",
    rewriteFirst(hasName("filters", "matches"), (text) => text.slice(0, -1)),
  ),
  defineViolation("stream/last-event-is-complete", "unterminated")(
    "The stream ends in the middle of the data of `done`, or before its data.",
    selectVariant(cutEndings, (rewrite) => rewriteFirst(isDone, rewrite)),
  ),
  defineViolation("stream/no-byte-order-mark", "bom")(
    "The stream starts with the bytes EF BB BF.",
    rewriteFirst(
      () => true,
      (text) => `\u{feff}${text}`,
    ),
  ),
  defineViolation("stream/text-is-utf-8", "invalid-utf8")(
    "One letter inside a text of the first matches is the byte FF, or other invalid UTF-8. If decoded leniently, the data is still JSON.",
    selectVariant(invalidCharacters, (letter) =>
      rewriteFirst(hasName("matches"), (text) => replaceLetter(text, letter)),
    ),
  ),
  defineViolation("stream/data-is-json", "data-not-json")(
    "The array of the first filters has a comma after its last element, or is invalid JSON in another way.",
    selectVariant(invalidJson, (mutate) =>
      rewriteFirst(hasName("filters"), (text) => text.replace(/(?<=\ndata: ).*/u, mutate)),
    ),
  ),
  defineViolation("stream/done-is-last", "bytes-after-done")(
    "One space follows the end of the last event, or a line feed, or a comment.",
    selectVariant(lateBytes, (bytes) => rewriteFirst(isDone, (text) => `${text}${bytes}`)),
  ),
  defineViolation("stream/done-is-last", "done-twice")(
    "A second `done` follows the first.",
    replaceFirst(isDone, (event) => [event, event]),
  ),
  defineViolation("stream/done-is-last", "event-after-done")(
    "A `notice` event follows `done`.",
    replaceFirst(isDone, (event) => [event, { name: "notice", data: {} }]),
  ),
  defineViolation("stream/done-is-last", "no-done")(
    "The response ends properly, but without `done`.",
    replaceFirst(isDone, () => []),
  ),
  defineViolation("stream/done-is-an-empty-object", "done-not-empty")(
    'The data of `done` is `{"reason":"finished"}`, or is not an empty object.',
    selectVariant(nonEmptyDoneData, (data) => replaceFirst(isDone, ({ name }) => [{ name, data }])),
  ),
];
