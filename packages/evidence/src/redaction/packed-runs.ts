import { Buffer } from "node:buffer";

/** A decoded run of letters. */
export interface UnpackedRun {
  readonly text: string;
  /** Offset of the run. */
  readonly at: number;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * By character: bit 4 for base64 letters, and one bit for each of the four positions at which it may appear when text is
 * encoded.
 */
const characterClasses = new Uint8Array(256);
for (let value = 0; value < 64; value += 1) {
  const first = value >= 8 && value < 32 ? 1 : 0;
  const second = (value & 15) >= 2 && (value & 15) < 8 ? 2 : 0;
  const third = (value & 2) === 0 ? 4 : 0;
  characterClasses[alphabet.charCodeAt(value)] = 16 | 8 | first | second | third;
}
characterClasses[45] = characterClasses[43] ?? 0;
characterClasses[95] = characterClasses[47] ?? 0;

/** This many letters in a row may encode printable text. */
const minTextLetters = 11;

/** Minimum number of letters of base64 that encode a number of bytes, at any alignment. */
const countMinLetters = (bytes: number): number => Math.floor((bytes * 4) / 3);

/** Text without this many printable characters in a row contains no secret in any encoding. */
const readableText = /[ -~]{8}/;
const hexDigits = /[0-9A-Fa-f]{16,}/g;

/** Reports whether the letters of a range may encode text, from any alignment. */
function mayPack(text: string, start: number, end: number): boolean {
  for (let shift = 0; shift < 4; shift += 1) {
    let length = 0;
    for (let at = start; at < end; at += 1) {
      length = (((characterClasses[text.charCodeAt(at)] ?? 0) >> ((at - shift) & 3)) & 1) === 1 ? length + 1 : 0;
      if (length >= minTextLetters) {
        return true;
      }
    }
  }
  return false;
}

/** A run of letters and its possible encodings. */
interface PackedRun {
  readonly at: number;
  readonly run: string;
  readonly coding: "base64" | "hex";
}

function* findPackedRuns(text: string, start: number, end: number): Generator<PackedRun> {
  if (mayPack(text, start, end)) {
    yield { at: start, run: text.slice(start, end), coding: "base64" };
  }
  for (const { 0: run, index } of text.slice(start, end).matchAll(hexDigits)) {
    yield { at: start + index, run, coding: "hex" };
  }
}

const isLetter = (text: string, at: number): boolean => characterClasses[text.charCodeAt(at)] !== 0;

/**
 * Runs of letters that may encode text, and of hexadecimal digits that are long enough. Checks the last letter of a possible
 * run first: if it is not a letter, everything before it is skipped.
 */
function* findRuns(text: string, minLetters: number): Generator<PackedRun> {
  let start = 0;
  while (start + minLetters <= text.length) {
    let at = start + minLetters - 1;
    while (at >= start && isLetter(text, at)) {
      at -= 1;
    }
    if (at < start) {
      let end = start + minLetters;
      while (end < text.length && isLetter(text, end)) {
        end += 1;
      }
      yield* findPackedRuns(text, start, end);
      at = end;
    }
    start = at + 1;
  }
}

/** Decodes all runs of base64 of either alphabet and of hexadecimal that may contain `minBytes` bytes, at every alignment. */
export function* unpackRuns(text: string, minBytes: number): Generator<UnpackedRun> {
  for (const { at, run, coding } of findRuns(text, countMinLetters(minBytes))) {
    for (let skipped = 0; skipped < (coding === "hex" ? 2 : 4); skipped += 1) {
      const unpacked = Buffer.from(run.slice(skipped), coding).toString("latin1");
      if (readableText.test(unpacked)) {
        yield { text: unpacked, at: at + skipped };
      }
    }
  }
}
