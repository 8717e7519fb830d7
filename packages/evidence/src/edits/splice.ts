import { Buffer } from "node:buffer";
import { jsonItemSpan, jsonPointerSpan } from "./json-span.ts";
import type { Span } from "./json-span.ts";

/** Bytes that stand in the place of others; a length of 0 inserts, no bytes cut. */
export interface Splice extends Span {
  readonly bytes: Uint8Array;
}

/** Bytes that arrived together, and when. */
export interface TimedBytes {
  readonly bytes: Uint8Array;
  /** Monotonic time in microseconds. */
  readonly atMicros: number;
}

/** Puts a text in the place of a part. */
export const replacing = ({ offset, length }: Span, text: string): Splice => ({
  offset,
  length,
  bytes: Buffer.from(text),
});

/** Cuts a part. */
export const cutting = ({ offset, length }: Span): Splice => ({ offset, length, bytes: Buffer.alloc(0) });

/** Inserts bytes before the one at `offset`. */
export const inserting = (offset: number, bytes: Uint8Array): Splice => ({ offset, length: 0, bytes });

/** Whether a splice begins in a chunk that ends at `end`: an insertion may stand behind its last byte. */
const beginsBy = ({ offset, length }: Splice, end: number): boolean => offset < end || (length === 0 && offset === end);

const byOffset = (one: Splice, other: Splice): number => one.offset - other.offset;

/** The same chunks after the splices, which must not overlap; what is inserted arrives with the byte before it, what replaces others with the first of them. Empty chunks are gone. */
export function splicedChunks(chunks: Iterable<TimedBytes>, splices: readonly Splice[]): readonly TimedBytes[] {
  const inOrder = splices.toSorted(byOffset);
  const result: TimedBytes[] = [];
  let at = 0;
  let next = 0;
  /** Bytes of the original that are still to be left out. */
  let skippedUntil = 0;
  for (const { bytes, atMicros } of chunks) {
    const end = at + bytes.length;
    const parts: Uint8Array[] = [];
    let from = Math.max(at, skippedUntil);
    for (let splice = inOrder[next]; splice !== undefined && beginsBy(splice, end); splice = inOrder[next]) {
      parts.push(bytes.subarray(from - at, Math.max(from, splice.offset) - at), splice.bytes);
      skippedUntil = splice.offset + splice.length;
      from = Math.min(end, Math.max(from, skippedUntil));
      next += 1;
    }
    parts.push(bytes.subarray(from - at));
    const joined = Buffer.concat(parts);
    if (joined.length > 0) {
      result.push({ bytes: joined, atMicros });
    }
    at = end;
  }
  return result;
}

/** The same bytes after the splices, which must not overlap. */
export const spliced = (bytes: Uint8Array, splices: readonly Splice[]): Uint8Array =>
  splicedChunks([{ bytes, atMicros: 0 }], splices)[0]?.bytes ?? Buffer.alloc(0);

const moved = ({ offset, length }: Span, by: number): Span => ({ offset: offset + by, length });

/** A JSON text within some bytes. */
export interface JsonText {
  readonly bytes: Uint8Array;
  /** Where it begins in what is to be edited. */
  readonly offset: number;
}

/** Removes the member or element that a pointer names; `undefined` where there is none. */
export function memberRemoved({ bytes, offset }: JsonText, pointer: string): Splice | undefined {
  const span = jsonItemSpan(bytes, pointer);
  return span === undefined ? undefined : cutting(moved(span, offset));
}

/** Where the value stands that a pointer names, in what is to be edited; the empty pointer names all. `undefined` where there is none. */
export function valueSpan({ bytes, offset }: JsonText, pointer: string): Span | undefined {
  const isThere = pointer === "" || jsonItemSpan(bytes, pointer) !== undefined;
  return isThere ? moved(jsonPointerSpan(bytes, pointer), offset) : undefined;
}

/** The value that a pointer names, as it is written. */
export function valueText(json: JsonText, pointer: string): string | undefined {
  const span = valueSpan({ ...json, offset: 0 }, pointer);
  return span && Buffer.from(json.bytes.subarray(span.offset, span.offset + span.length)).toString();
}

/** Puts another value in the place of the one that a pointer names, which has to be there. */
export function valueReplaced(json: JsonText, pointer: string, value: unknown): Splice | undefined {
  const span = valueSpan(json, pointer);
  return span && replacing(span, JSON.stringify(value));
}

/** Adds a member to the object that a pointer names; `undefined` where there is no object. The object must not have it yet. */
export function memberAdded(
  { bytes, offset }: JsonText,
  pointer: string,
  [name, value]: readonly [string, unknown],
): Splice | undefined {
  const { offset: at, length } = jsonPointerSpan(bytes, pointer);
  const text = Buffer.from(bytes.subarray(at, at + length)).toString();
  if (!text.startsWith("{")) {
    return undefined;
  }
  const comma = /^\{\s*\}/u.test(text) ? "" : ",";
  return replacing({ offset: offset + at + 1, length: 0 }, `${JSON.stringify(name)}:${JSON.stringify(value)}${comma}`);
}

/** A value of another JSON type: text for what is none, else a number. */
export const ofOtherType = (value: unknown): unknown => (typeof value === "string" ? 4711 : "of another type");
