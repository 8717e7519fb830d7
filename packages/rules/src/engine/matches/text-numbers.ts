import { Buffer } from "node:buffer";

/** Bytes that are read at once. */
const wordBytes = 4;
const fourBackslashes = 0x5c5c5c5c;

/** 0 if none of the four bytes is 0. */
const zeroBytes = (word: number): number => (word - 0x01010101) & ~word & 0x80808080;

/** Spreads every bit over all bits. */
function mix(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Maximum number of bytes of all texts together. */
const maxBytes = 256 * 2 ** 20;

/** Returned for a text that cannot be numbered. */
export const noNumber = -1;
/** Returned for the bytes of a JSON string that contains an escape, so that its text must be decoded first. */
export const isEscaped = -2;

/** Bytes between two offsets. */
export interface ByteSpan {
  bytes: Uint8Array;
  start: number;
  end: number;
}

/**
 * Numbers the distinct texts of a stream in the order in which they first occur. Texts are compared by their UTF-8 bytes, so that a text
 * becomes a string only where a rule needs it. Texts of different groups are different.
 */
export class TextNumbers {
  readonly #maxCount: number;
  /** Open addressing: the number of a text plus 1, at its hash. At most half full. */
  #slots = new Int32Array(256);
  #hashes = new Int32Array(128);
  #groups = new Int32Array(128);
  /** Where each text ends in the bytes. */
  #ends = new Int32Array(128);
  #bytes = Buffer.alloc(1024);
  #knownView = viewOf(this.#bytes);
  #viewed: Uint8Array = this.#bytes;
  #view = this.#knownView;
  readonly #strings: (string | undefined)[] = [];
  #count = 0;

  constructor(maxCount: number) {
    this.#maxCount = maxCount;
  }

  /** Number of texts so far. */
  get count(): number {
    return this.#count;
  }

  /** The number of a text, from 0, or `noNumber` if it is new and there are too many. */
  ofText(text: string, group = 0): number {
    const bytes = Buffer.from(text);
    return this.#find({ bytes, start: 0, end: bytes.length }, group, false);
  }

  /** The number of a JSON string, whose span excludes its quotes. `isEscaped` if it contains an escape. */
  ofBytes(span: ByteSpan, group = 0): number {
    return this.#find(span, group, true);
  }

  /** The text with a number. */
  text(number: number): string {
    const known = this.#strings[number];
    if (known !== undefined) {
      return known;
    }
    const text = this.#bytes.toString("utf8", this.#startOf(number), this.#ends[number]);
    this.#strings[number] = text;
    return text;
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  /** In a JSON string a backslash begins an escape. Reads four bytes at once, as far as there are four. */
  #find(span: ByteSpan, group: number, isJson: boolean): number {
    const { bytes, start, end } = span;
    const view = this.#viewOf(bytes);
    let hash = (group ^ (end - start)) | 0;
    let backslashes = 0;
    let at = start;
    for (; at <= end - wordBytes; at += wordBytes) {
      const word = view.getInt32(at, true);
      backslashes |= zeroBytes(word ^ fourBackslashes);
      hash = mix(hash ^ word);
    }
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      backslashes |= zeroBytes(byte ^ fourBackslashes);
      hash = mix(hash ^ byte);
    }
    return isJson && backslashes !== 0 ? isEscaped : this.#findHashed(span, group, hash);
  }

  /** Texts that are looked up one after the other are usually in the same memory. */
  #viewOf(bytes: Uint8Array): DataView {
    if (bytes !== this.#viewed) {
      this.#viewed = bytes;
      this.#view = viewOf(bytes);
    }
    return this.#view;
  }

  #findHashed(span: ByteSpan, group: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = firstSlot(hash, mask);
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number === noNumber) {
        return this.#add(span, group, hash);
      }
      if (this.#hashes[number] === hash && this.#groups[number] === group && this.#equals(number, span)) {
        return number;
      }
      slot = (slot + 1) & mask;
    }
  }

  #equals(number: number, { bytes, start, end }: ByteSpan): boolean {
    const known = this.#bytes;
    const from = this.#startOf(number);
    if ((this.#ends[number] ?? 0) - from !== end - start) {
      return false;
    }
    const view = this.#viewOf(bytes);
    let at = start;
    for (; at <= end - wordBytes; at += wordBytes) {
      if (view.getInt32(at) !== this.#knownView.getInt32(from + at - start)) {
        return false;
      }
    }
    for (; at < end; at += 1) {
      if (bytes[at] !== known[from + at - start]) {
        return false;
      }
    }
    return true;
  }

  #add({ bytes, start, end }: ByteSpan, group: number, hash: number): number {
    const number = this.#count;
    const from = this.#startOf(number);
    const to = from + end - start;
    if (number === this.#maxCount || to > maxBytes) {
      return noNumber;
    }
    if (to > this.#bytes.length) {
      const largerBytes = Buffer.alloc(Math.max(to, this.#bytes.length * 2));
      largerBytes.set(this.#bytes.subarray(0, from));
      this.#bytes = largerBytes;
      this.#knownView = viewOf(largerBytes);
    }
    this.#bytes.set(bytes.subarray(start, end), from);
    this.#hashes[number] = hash;
    this.#groups[number] = group;
    this.#ends[number] = to;
    this.#count += 1;
    this.#place(number);
    if (this.#count === this.#hashes.length) {
      this.#grow();
    }
    return number;
  }

  /** Enters a text at the first free slot from its hash on. */
  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = firstSlot(this.#hashes[number] ?? 0, mask);
    while (this.#slots[slot] !== 0) {
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = number + 1;
  }

  #grow(): void {
    const size = this.#hashes.length * 2;
    this.#hashes = larger(this.#hashes, size);
    this.#groups = larger(this.#groups, size);
    this.#ends = larger(this.#ends, size);
    this.#slots = new Int32Array(size * 2);
    for (let number = 0; number < this.#count; number += 1) {
      this.#place(number);
    }
  }
}

/** The upper bits count too, because the table uses only the lower ones. */
const firstSlot = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask;

function larger(integers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(integers);
  return copy;
}
