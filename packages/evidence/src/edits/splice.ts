import { Buffer } from "node:buffer";
import { findJsonItemSpan, findJsonPointerSpan } from "./json-span.ts";
import type { Span } from "./json-span.ts";

/** Replacement bytes for a range. A length of 0 inserts. Empty `bytes` delete. */
export interface Splice extends Span {
  readonly bytes: Uint8Array;
}

/** Bytes that arrived together, with their time. */
export interface TimedBytes {
  readonly bytes: Uint8Array;
  /** Monotonic time in microseconds. */
  readonly atMicros: number;
}

/** Replaces a range with text. */
export const replaceSpan = ({ offset, length }: Span, text: string): Splice => ({
  offset,
  length,
  bytes: Buffer.from(text),
});

/** Deletes a range. */
export const deleteSpan = ({ offset, length }: Span): Splice => ({ offset, length, bytes: Buffer.alloc(0) });

/** Inserts bytes before the byte at `offset`. */
export const insertBytes = (offset: number, bytes: Uint8Array): Splice => ({ offset, length: 0, bytes });

/** Reports whether a splice starts in a chunk that ends at `end`. An insertion may follow its last byte. */
const startsWithin = ({ offset, length }: Splice, end: number): boolean =>
  offset < end || (length === 0 && offset === end);

const compareOffsets = (a: Splice, b: Splice): number => a.offset - b.offset;

/**
 * Applies splices, which must not overlap, to chunks. Inserted bytes arrive with the preceding byte. Replacements arrive with the first
 * byte they replace. Empty chunks are dropped.
 */
export function applySplicesToChunks(chunks: Iterable<TimedBytes>, splices: readonly Splice[]): readonly TimedBytes[] {
  const sortedSplices = splices.toSorted(compareOffsets);
  const result: TimedBytes[] = [];
  let at = 0;
  let next = 0;
  /** Original bytes before this offset are skipped. */
  let skippedUntil = 0;
  for (const { bytes, atMicros } of chunks) {
    const end = at + bytes.length;
    const parts: Uint8Array[] = [];
    let from = Math.max(at, skippedUntil);
    for (
      let splice = sortedSplices[next];
      splice !== undefined && startsWithin(splice, end);
      splice = sortedSplices[next]
    ) {
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

/** Applies splices, which must not overlap. */
export const applySplices = (bytes: Uint8Array, splices: readonly Splice[]): Uint8Array =>
  applySplicesToChunks([{ bytes, atMicros: 0 }], splices)[0]?.bytes ?? Buffer.alloc(0);

const shiftSpan = ({ offset, length }: Span, by: number): Span => ({ offset: offset + by, length });

/** JSON text inside other bytes. */
export interface JsonText {
  readonly bytes: Uint8Array;
  /** Its offset in the bytes to edit. */
  readonly offset: number;
}

/** Removes the member or element at a pointer. Returns undefined if there is none. */
export function removeMember({ bytes, offset }: JsonText, pointer: string): Splice | undefined {
  const span = findJsonItemSpan(bytes, pointer);
  return span === undefined ? undefined : deleteSpan(shiftSpan(span, offset));
}

/**
 * Returns the range of the value at a pointer, in the bytes to edit. The empty pointer names the whole text. Returns undefined if there is
 * no such value.
 */
export function findValueSpan({ bytes, offset }: JsonText, pointer: string): Span | undefined {
  const exists = pointer === "" || findJsonItemSpan(bytes, pointer) !== undefined;
  return exists ? shiftSpan(findJsonPointerSpan(bytes, pointer), offset) : undefined;
}

/** Returns the text of the value at a pointer. */
export function getValueText(json: JsonText, pointer: string): string | undefined {
  const span = findValueSpan({ ...json, offset: 0 }, pointer);
  return span && Buffer.from(json.bytes.subarray(span.offset, span.offset + span.length)).toString();
}

/** Replaces the value at a pointer. Returns undefined if there is none. */
export function replaceValue(json: JsonText, pointer: string, value: unknown): Splice | undefined {
  const span = findValueSpan(json, pointer);
  return span && replaceSpan(span, JSON.stringify(value));
}

/** Adds a member to the object at a pointer. Returns undefined if there is no object. The object must not have a member with that name. */
export function addMember(
  { bytes, offset }: JsonText,
  pointer: string,
  [name, value]: readonly [string, unknown],
): Splice | undefined {
  const { offset: at, length } = findJsonPointerSpan(bytes, pointer);
  const text = Buffer.from(bytes.subarray(at, at + length)).toString();
  if (!text.startsWith("{")) {
    return undefined;
  }
  const comma = /^\{\s*\}/u.test(text) ? "" : ",";
  return replaceSpan(
    { offset: offset + at + 1, length: 0 },
    `${JSON.stringify(name)}:${JSON.stringify(value)}${comma}`,
  );
}

/** Returns a value of a different JSON type: a number for strings, a string for everything else. */
export const toOtherType = (value: unknown): unknown => (typeof value === "string" ? 4711 : "of another type");
