import { isPayloadArray, isPayloadObject } from "../payload.ts";

/** A range of bytes, half-open. */
export type ByteSpan = readonly [start: number, end: number];

/** A line and its matches. A context line has no matches. */
export interface HitLine {
  /** The raw bytes of the line, without the line feed. */
  readonly bytes: Buffer;
  /** Starts at 0. */
  readonly lineNumber: number;
  /** Bytes from the start of the file to the start of the line. */
  readonly offset: number;
  /** Relative to the line, in order. No span is empty. A context line has none. */
  readonly spans: readonly ByteSpan[];
}

/** All matching lines of one file, with context lines, in order. */
export interface FileHits {
  readonly path: string;
  readonly lines: readonly HitLine[];
  /** Whether more matches were dropped. */
  readonly isCut?: boolean;
}

/** A relevant record of ripgrep's JSON output. */
export type RipgrepRecord =
  | { readonly type: "begin"; readonly path: string }
  | { readonly type: "line"; readonly line: HitLine }
  | { readonly type: "end"; readonly isBinary: boolean };

/** Decodes text, which ripgrep writes as `{text}`, or as `{bytes}` in base64 if it is not UTF-8. */
const decodeBytes = (value: unknown): Buffer => {
  if (!isPayloadObject(value)) {
    return Buffer.alloc(0);
  }
  const { text, bytes } = value;
  return typeof text === "string" ? Buffer.from(text) : Buffer.from(typeof bytes === "string" ? bytes : "", "base64");
};

const numberOr0 = (value: unknown): number => (typeof value === "number" ? value : 0);

const readSpans = (submatches: unknown): readonly ByteSpan[] =>
  (isPayloadArray(submatches) ? submatches : [])
    .filter((submatch) => isPayloadObject(submatch))
    .map(({ start, end }): ByteSpan => [numberOr0(start), numberOr0(end)])
    .filter(([start, end]) => end > start);

const lineFeed = 0x0a;

const readHitLine = (data: Readonly<Record<string, unknown>>): HitLine => {
  const raw = decodeBytes(data["lines"]);
  return {
    bytes: raw.at(-1) === lineFeed ? raw.subarray(0, -1) : raw,
    lineNumber: numberOr0(data["line_number"]) - 1,
    offset: numberOr0(data["absolute_offset"]),
    spans: readSpans(data["submatches"]),
  };
};

/** Parses one line of ripgrep's JSON output. Returns undefined for records without a hit, such as the summary. */
export const readRipgrepRecord = (record: string): RipgrepRecord | undefined => {
  const parsed: unknown = JSON.parse(record);
  if (!isPayloadObject(parsed) || !isPayloadObject(parsed["data"])) {
    return undefined;
  }
  const { type, data } = parsed;
  switch (type) {
    case "begin":
      return { type, path: decodeBytes(data["path"]).toString("utf8").replace(/^\.\//u, "") };
    case "match":
    case "context":
      return { type: "line", line: readHitLine(data) };
    case "end":
      return { type, isBinary: data["binary_offset"] !== null };
    default:
      return undefined;
  }
};
