import { Buffer } from "node:buffer";
import { findJsonItemSpan, findJsonPointerSpan } from "./json-span.ts";
import type { Span } from "./json-span.ts";

/** Replacement bytes for a range. Inserts if `length` is 0. Deletes if `bytes` is empty. */
export interface Splice extends Span {
  readonly bytes: Uint8Array;
}

/** Bytes that arrived together, with their time. */
export interface TimedBytes {
  readonly bytes: Uint8Array;
  /** Monotonic time in microseconds. */
  readonly atMicros: number;
}

/** Returns a splice that replaces a range with text. */
export const replaceSpan = ({ offset, length }: Span, text: string): Splice => ({
  offset,
  length,
  bytes: Buffer.from(text),
});

/** Returns a splice that deletes a range. */
export const deleteSpan = ({ offset, length }: Span): Splice => ({ offset, length, bytes: Buffer.alloc(0) });

/** Returns a splice that inserts bytes before the byte at `offset`. */
export const insertBytes = (offset: number, bytes: Uint8Array): Splice => ({ offset, length: 0, bytes });

/**
 * Reports whether a splice applies to the chunk that ends at `chunkEnd` (exclusive). An insertion exactly at
 * `chunkEnd` belongs to this chunk.
 */
const startsWithin = ({ offset, length }: Splice, chunkEnd: number): boolean =>
  offset < chunkEnd || (length === 0 && offset === chunkEnd);

const compareOffsets = (a: Splice, b: Splice): number => a.offset - b.offset;

/**
 * Applies splices, which must not overlap, to chunks. Inserted bytes arrive with the preceding byte. Replacements arrive with the first
 * byte they replace. Empty chunks are dropped.
 */
export function applySplicesToChunks(chunks: Iterable<TimedBytes>, splices: readonly Splice[]): readonly TimedBytes[] {
  const sortedSplices = splices.toSorted(compareOffsets);
  const result: TimedBytes[] = [];
  let chunkStart = 0;
  let nextSplice = 0;
  /** Input bytes before this offset have been replaced. */
  let skippedUntil = 0;
  for (const { bytes, atMicros } of chunks) {
    const chunkEnd = chunkStart + bytes.length;
    const parts: Uint8Array[] = [];
    let copyFrom = Math.max(chunkStart, skippedUntil);
    for (
      let splice = sortedSplices[nextSplice];
      splice !== undefined && startsWithin(splice, chunkEnd);
      splice = sortedSplices[nextSplice]
    ) {
      parts.push(bytes.subarray(copyFrom - chunkStart, Math.max(copyFrom, splice.offset) - chunkStart), splice.bytes);
      skippedUntil = splice.offset + splice.length;
      copyFrom = Math.min(chunkEnd, Math.max(copyFrom, skippedUntil));
      nextSplice += 1;
    }
    parts.push(bytes.subarray(copyFrom - chunkStart));
    const joined = Buffer.concat(parts);
    if (joined.length > 0) {
      result.push({ bytes: joined, atMicros });
    }
    chunkStart = chunkEnd;
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
  /** Offset of `bytes` in the body that the splices apply to. */
  readonly offset: number;
}

/** Returns a splice that removes the member or element at a pointer. Returns undefined if there is none. */
export function removeMember({ bytes, offset }: JsonText, pointer: string): Splice | undefined {
  const span = findJsonItemSpan(bytes, pointer);
  return span === undefined ? undefined : deleteSpan(shiftSpan(span, offset));
}

/**
 * Returns the range of the value at a pointer, in the body that the splices apply to. The empty pointer refers to the
 * whole document. Returns undefined if there is no such value.
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

/** Returns a splice that replaces the value at a pointer. Returns undefined if there is none. */
export function replaceValue(json: JsonText, pointer: string, value: unknown): Splice | undefined {
  const span = findValueSpan(json, pointer);
  return span && replaceSpan(span, JSON.stringify(value));
}

/**
 * Returns a splice that adds a member to the object at a pointer. The object must not have a member with that name.
 * Returns undefined if the value is not an object.
 */
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
