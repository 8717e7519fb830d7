import { isNamed } from "./event-transforms.ts";
import type { Fault, FaultRun } from "./fault.ts";
import { chosenWay, howParameter, type Ways } from "./fault-ways.ts";
import { rewriteBefore, rewriteEach, rewriteFirst } from "./frame-transforms.ts";

const isDone = isNamed("done");

/** The beginning of a text value that every kind of match has. */
const valueStart = '"repository":"';

/** Bytes that are no character: none begins with them, or the character has a shorter form, or is half of a pair, or is cut. */
const noCharacters: Ways<Buffer> = {
  "no-start": Buffer.of(0xff),
  continuation: Buffer.of(0x80),
  overlong: Buffer.of(0xc0, 0xaf),
  surrogate: Buffer.of(0xed, 0xa0, 0x80),
  cut: Buffer.of(0xe2, 0x82),
  "too-large": Buffer.of(0xf4, 0x90, 0x80, 0x80),
};

/** Data that is no JSON, each made of the array that was meant. */
const noJson: Ways<(json: string) => string> = {
  comma: (json) => json.replace(/\]$/u, ",]"),
  "single-quotes": (json) => json.replaceAll('"', "'"),
  nan: (json) => json.replace(/"count":\d+/u, '"count":NaN'),
  "two-values": (json) => `${json} ${json}`,
  cut: (json) => json.slice(0, -1),
  empty: () => "",
};

const blankLines: Ways<(text: string) => string> = { after: (text) => `${text}\n`, before: (text) => `\n${text}` };

/** White space between the tokens of JSON may be a carriage return, so that the data stays what it was. */
const lineEnds: Ways<(text: string) => string> = {
  everywhere: (text) => text.replaceAll("\n", "\r\n"),
  "in-the-line": (text) => text.replace(/^data: (.)/mu, "data: $1\r"),
};

const ends: Ways<number> = { one: 1, both: 2 };

const spoiltByte = (text: string, run: FaultRun): Buffer | undefined => {
  const at = text.indexOf(valueStart);
  if (at < 0) {
    return undefined;
  }
  const before = Buffer.from(text.slice(0, at + valueStart.length));
  const after = Buffer.from(text.slice(at + valueStart.length + 1));
  return Buffer.concat([before, chosenWay(noCharacters, run) ?? Buffer.alloc(0), after]);
};

/** Faults in line ends, blank lines, encoding and JSON. */
export const framingFaults: readonly Fault[] = [
  {
    id: "crlf",
    title: "lines end with CR LF",
    description:
      "Every line feed of the stream has a carriage return before it, or the data of each event has one inside.",
    kind: "violation",
    attacks: "stream/lines-end-with-lf",
    parameters: howParameter(lineEnds),
    ...rewriteEach((text, run) => chosenWay(lineEnds, run)?.(text) ?? text),
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
      (text, run) => chosenWay(blankLines, run)?.(text),
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
    title: "the last event lacks its blank line",
    description: "The stream ends after the data line of `done`, or before the end of that line.",
    kind: "violation",
    attacks: "stream/last-event-is-complete",
    parameters: howParameter(ends),
    ...rewriteFirst(isDone, (text, run) => text.slice(0, -(chosenWay(ends, run) ?? 1))),
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
      text.replace(/(?<=\ndata: ).*/u, (json) => chosenWay(noJson, run)?.(json) ?? json),
    ),
  },
];
