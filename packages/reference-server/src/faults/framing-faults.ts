import { isNamed } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { rewriteBefore, rewriteEach, rewriteFirst } from "./frame-transforms.ts";

const isDone = isNamed("done");

/** The beginning of a text value that every kind of match has. */
const valueStart = '"repository":"';

const spoiltByte = (text: string): Buffer | undefined => {
  const at = text.indexOf(valueStart);
  if (at < 0) {
    return undefined;
  }
  const before = Buffer.from(text.slice(0, at + valueStart.length));
  const after = Buffer.from(text.slice(at + valueStart.length + 1));
  return Buffer.concat([before, Buffer.of(0xff), after]);
};

/** Faults in line ends, blank lines, encoding and JSON. */
export const framingFaults: readonly Fault[] = [
  {
    id: "crlf",
    title: "lines end with CR LF",
    description: "Every line feed of the stream has a carriage return before it.",
    kind: "violation",
    attacks: "stream/lines-end-with-lf",
    ...rewriteEach((text) => text.replaceAll("\n", "\r\n")),
  },
  {
    id: "extra-blank-line",
    title: "two blank lines between events",
    description: "The first event is followed by three line feeds.",
    kind: "violation",
    attacks: "stream/one-blank-line-between-events",
    ...rewriteFirst(
      (event) => !isDone(event),
      (text) => `${text}\n`,
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
    description: "The stream ends after the data line of `done`.",
    kind: "violation",
    attacks: "stream/last-event-is-complete",
    ...rewriteFirst(isDone, (text) => text.slice(0, -1)),
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
      "One letter inside a text of the first matches is the byte FF; decoded leniently the data is still JSON.",
    kind: "violation",
    attacks: "stream/text-is-utf-8",
    ...rewriteFirst(isNamed("matches"), spoiltByte),
  },
  {
    id: "data-not-json",
    title: "data that is not JSON",
    description: "The array of the first filters has a comma after its last element.",
    kind: "violation",
    attacks: "stream/data-is-json",
    ...rewriteFirst(isNamed("filters"), (text) => text.replace(/\]\n\n$/u, ",]\n\n")),
  },
];
