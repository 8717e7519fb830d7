import { member } from "@assay/reading";
/** The validated part of a line match that a pivot needs. */
export interface MatchedLine {
  readonly text: string;
  readonly lineNumber: number;
  /** The first highlighted text. */
  readonly highlight: string;
}

/** Printable ASCII, in which bytes, code points and UTF-16 units are the same, so that offsets are unambiguous. */
const plainLine = /^[\t\x20-\x7e]{1,2000}$/u;

function readFirstPair(value: unknown): readonly [number, number] | undefined {
  const pairs: readonly unknown[] = Array.isArray(value) ? value : [];
  const [pair] = pairs;
  const [offset, length]: readonly unknown[] = Array.isArray(pair) ? pair : [];
  return typeof offset === "number" && typeof length === "number" ? [offset, length] : undefined;
}

function readMatchedLine(value: unknown): MatchedLine | undefined {
  const text = member(value, "line");
  const lineNumber = member(value, "lineNumber");
  const pair = readFirstPair(member(value, "offsetAndLengths"));
  if (typeof text !== "string" || !plainLine.test(text) || typeof lineNumber !== "number" || pair === undefined) {
    return undefined;
  }
  return { text, lineNumber, highlight: text.slice(pair[0], pair[0] + pair[1]) };
}

const maxLinesRead = 200;

/** Returns at most 200 unambiguous line matches of a content match. */
export function readMatchedLines(match: unknown): readonly MatchedLine[] {
  const lines: unknown = member(match, "lineMatches");
  const entries: readonly unknown[] = Array.isArray(lines) ? lines.slice(0, maxLinesRead) : [];
  return entries.flatMap((line) => readMatchedLine(line) ?? []);
}
