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

const isHex = (code: number): boolean => (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102);

/** Runs of letters in which text may be packed, and of hexadecimal digits that are long enough. */
function* runsOf(
  text: string,
): Generator<{ readonly at: number; readonly run: string; readonly coding: "base64" | "hex" }> {
  const fitting = [0, 0, 0, 0];
  let start = 0;
  let isWorth = false;
  let hexFrom = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (!isHex(code)) {
      if (at - hexFrom >= enoughHex) {
        yield { at: hexFrom, run: text.slice(hexFrom, at), coding: "hex" };
      }
      hexFrom = at + 1;
    }
    const place = places[code] ?? 0;
    if (place === 0) {
      if (isWorth) {
        yield { at: start, run: text.slice(start, at), coding: "base64" };
      }
      start = at + 1;
      isWorth = false;
      fitting.fill(0);
      continue;
    }
    for (let shift = 0; shift < 4; shift += 1) {
      const length = ((place >> ((at - shift) & 3)) & 1) === 1 ? (fitting[shift] ?? 0) + 1 : 0;
      fitting[shift] = length;
      isWorth ||= length >= enough;
    }
  }
}

/** What is packed in base64 of either alphabet or in hexadecimal, from each letter that a byte may begin with. */
export function* unpackedRuns(text: string): Generator<Unpacked> {
  for (const { at, run, coding } of runsOf(text)) {
    for (let skipped = 0; skipped < (coding === "hex" ? 2 : 4); skipped += 1) {
      yield { text: Buffer.from(run.slice(skipped), coding).toString("latin1"), at: at + skipped };
    }
  }
}
