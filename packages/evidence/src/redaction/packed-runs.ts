import { Buffer } from "node:buffer";

/** A run of letters that may pack a text, unpacked. */
export interface Unpacked {
  readonly text: string;
  /** Where the run begins. */
  readonly at: number;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** By character: bit 4 for a letter of base64, and a bit for each of the four places it may have where text is packed. */
const places = new Uint8Array(256);
for (let value = 0; value < 64; value += 1) {
  const first = value >= 8 && value < 32 ? 1 : 0;
  const second = (value & 15) >= 2 && (value & 15) < 8 ? 2 : 0;
  const third = (value & 2) === 0 ? 4 : 0;
  places[alphabet.charCodeAt(value)] = 16 | 8 | first | second | third;
}
places[45] = places[43] ?? 0;
places[95] = places[47] ?? 0;

/** So many letters in a row that may pack text do; fewer hold no secret. */
const enough = 11;
const enoughHex = 16;

/** Of what holds no more than this in a row nothing is a secret, in whatever way it was encoded. */
const readable = /[ -~]{8}/;
const hexDigits = /[0-9A-Fa-f]{16,}/g;

/** Whether so many letters of a run in a row may pack text, from any place that a byte may begin at. */
function mayPack(text: string, start: number, end: number): boolean {
  for (let shift = 0; shift < 4; shift += 1) {
    let length = 0;
    for (let at = start; at < end; at += 1) {
      length = (((places[text.charCodeAt(at)] ?? 0) >> ((at - shift) & 3)) & 1) === 1 ? length + 1 : 0;
      if (length >= enough) {
        return true;
      }
    }
  }
  return false;
}

/** A run of letters, and by what they may be unpacked. */
interface Packed {
  readonly at: number;
  readonly run: string;
  readonly coding: "base64" | "hex";
}

function* packedIn(text: string, start: number, end: number): Generator<Packed> {
  if (mayPack(text, start, end)) {
    yield { at: start, run: text.slice(start, end), coding: "base64" };
  }
  if (end - start >= enoughHex) {
    for (const { 0: run, index } of text.slice(start, end).matchAll(hexDigits)) {
      yield { at: start + index, run, coding: "hex" };
    }
  }
}

const isLetter = (text: string, at: number): boolean => places[text.charCodeAt(at)] !== 0;

/**
 * Runs of letters in which text may be packed, and of hexadecimal digits that are long enough. Looks at the last letter first that
 * a run from here would need: where it is none, all before it is passed over.
 */
function* runsOf(text: string): Generator<Packed> {
  let start = 0;
  while (start + enough <= text.length) {
    let at = start + enough - 1;
    while (at >= start && isLetter(text, at)) {
      at -= 1;
    }
    if (at < start) {
      let end = start + enough;
      while (end < text.length && isLetter(text, end)) {
        end += 1;
      }
      yield* packedIn(text, start, end);
      at = end;
    }
    start = at + 1;
  }
}

/** What is packed in base64 of either alphabet or in hexadecimal, from each letter that a byte may begin with. */
export function* unpackedRuns(text: string): Generator<Unpacked> {
  for (const { at, run, coding } of runsOf(text)) {
    for (let skipped = 0; skipped < (coding === "hex" ? 2 : 4); skipped += 1) {
      const unpacked = Buffer.from(run.slice(skipped), coding).toString("latin1");
      if (readable.test(unpacked)) {
        yield { text: unpacked, at: at + skipped };
      }
    }
  }
}
