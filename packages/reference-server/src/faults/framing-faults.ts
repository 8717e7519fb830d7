import { hasName, isRunningProgress, replaceFirst, rewriteEach, rewriteFirst } from "./event-transforms.ts";
import { type Fault, type Variants, selectVariant, defineViolation } from "./fault.ts";

type Rewrite = (text: string) => string;

/** Adds a line to the end of the event, before the empty line. */
const appendLine =
  (line: string): Rewrite =>
  (text) =>
    `${text.slice(0, -1)}${line}\n\n`;

const removeField =
  (field: string): Rewrite =>
  (text) =>
    text.replace(new RegExp(`^${field}:.*\n`, "mu"), "");

const isDone = hasName("done");

/** Text before a string value that every match contains. */
const valuePrefix = '"repository":"';

/** Invalid UTF-8. */
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
const lineEndings: Variants<Rewrite> = {
  everywhere: (text) => text.replaceAll("\n", "\r\n"),
  "in-the-line": (text) => text.replace(/^data: (.)/mu, "data: $1\r"),
};

/** Ways to cut off the last event. */
const truncations: Variants<Rewrite> = {
  "half-of-the-data": (text) => text.replace(/\}\n\n$/u, ""),
  "no-data": (text) => text.replace(/(?<=\n)data: .*\n\n$/u, ""),
  "half-of-a-field": (text) => text.replace(/(?<=\nda)ta: .*\n\n$/u, ""),
};

const replaceLetter = (text: string, letter: Buffer): Buffer | undefined => {
  const at = text.indexOf(valuePrefix) + valuePrefix.length;
  return at < valuePrefix.length
    ? undefined
    : Buffer.concat([Buffer.from(text.slice(0, at)), letter, Buffer.from(text.slice(at + 1))]);
};

const trailingBytes: Variants<string> = { space: " ", "line-feed": "\n", comment: ": bye\n\n" };
const nonEmptyDoneData: Variants<unknown> = { member: { reason: "finished" }, null: null, list: [], text: "" };

/** Creates a fault in the first unfinished `progress` event. Progress events carry no results, so none are lost. */
const defineFieldFault = (id: string, description: string, rewrite: Rewrite): Fault =>
  defineViolation("stream/two-fields", id)(description, rewriteFirst(isRunningProgress, rewrite));

/** Faults in fields, line endings, blank lines, encoding, JSON, and the end of a stream. */
export const framingFaults: readonly Fault[] = [
  defineFieldFault(
    "third-field",
    "The first unfinished `progress` event has a third line `extra: 1`.",
    appendLine("extra: 1"),
  ),
  defineFieldFault(
    "not-a-field",
    "The first unfinished `progress` event has a third line without a colon.",
    appendLine("still searching"),
  ),
  defineFieldFault(
    "comment",
    "A block `: ping` precedes the first unfinished `progress` event; many servers keep streams alive that way.",
    (text) => `: ping\n\n${text}`,
  ),
  defineFieldFault("id-field", "The first unfinished `progress` event has a third line `id: 1`.", appendLine("id: 1")),
  defineFieldFault(
    "retry-field",
    "The first unfinished `progress` event has a third line `retry: 3000`.",
    appendLine("retry: 3000"),
  ),
  defineFieldFault("empty-event-name", "The `event:` line of the first unfinished `progress` event is empty.", (text) =>
    text.replace("event: progress\n", "event: \n"),
  ),
  defineFieldFault(
    "missing-event",
    "The first unfinished `progress` event has only its data line.",
    removeField("event"),
  ),
  defineFieldFault(
    "missing-data",
    "The first unfinished `progress` event has only its event line.",
    removeField("data"),
  ),
  defineFieldFault(
    "repeated-event",
    "The first unfinished `progress` event has its event line twice.",
    (text) => `event: progress\n${text}`,
  ),
  // Parsers join data lines with a line feed, so the data is still the same JSON.
  defineFieldFault(
    "repeated-data",
    "The first unfinished `progress` event has a second, empty data line.",
    appendLine("data:"),
  ),
  defineViolation("stream/lines-end-with-lf", "crlf")(
    "Lines have carriage returns, for example at every line ending.",
    selectVariant(lineEndings, rewriteEach),
  ),
  defineViolation("stream/one-blank-line-between-events", "extra-blank-line")(
    "The first event has an extra blank line after or before it.",
    selectVariant(blankLines, (rewrite) => rewriteFirst((event) => !isDone(event), rewrite)),
  ),
  defineViolation("stream/one-blank-line-between-events", "missing-blank-line")(
    "The first `filters` or `matches` event ends with a single line feed.",
    rewriteFirst(hasName("filters", "matches"), (text) => text.slice(0, -1)),
  ),
  defineViolation("stream/last-event-is-complete", "unterminated")(
    "The stream ends inside the `done` event, for example in the middle of its data.",
    selectVariant(truncations, (rewrite) => rewriteFirst(isDone, rewrite)),
  ),
  defineViolation("stream/no-byte-order-mark", "bom")(
    "The stream starts with the bytes EF BB BF.",
    rewriteFirst(
      () => true,
      (text) => `\u{feff}${text}`,
    ),
  ),
  defineViolation("stream/text-is-utf-8", "invalid-utf8")(
    "A character in a string of the first `matches` event is invalid UTF-8, for example the byte FF. A lenient decoder still produces valid JSON.",
    selectVariant(invalidCharacters, (letter) =>
      rewriteFirst(hasName("matches"), (text) => replaceLetter(text, letter)),
    ),
  ),
  defineViolation("stream/data-is-json", "data-not-json")(
    "The first `filters` event is invalid JSON, for example with a trailing comma.",
    selectVariant(invalidJson, (mutate) =>
      rewriteFirst(hasName("filters"), (text) => text.replace(/(?<=\ndata: ).*/u, mutate)),
    ),
  ),
  defineViolation("stream/done-is-last", "bytes-after-done")(
    "More bytes follow `done`, for example a space.",
    selectVariant(trailingBytes, (bytes) => rewriteFirst(isDone, (text) => `${text}${bytes}`)),
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
    "The response ends cleanly without `done`.",
    replaceFirst(isDone, () => []),
  ),
  defineViolation("stream/done-is-an-empty-object", "done-not-empty")(
    'The data of `done` is not an empty object, for example `{"reason":"finished"}`.',
    selectVariant(nonEmptyDoneData, (data) => replaceFirst(isDone, ({ name }) => [{ name, data }])),
  ),
];
