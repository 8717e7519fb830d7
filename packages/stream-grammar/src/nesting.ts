import type { DataPart } from "./array-ahead.ts";

/** Deepest nesting of arrays and objects that is read in a long value. */
export const maxNesting = 10_000;

/** A shorter value is read whatever it holds: it cannot cost much. */
const shortBytes = 64 * 1024;
const samples = 1024;
/** Of the samples; matches of code have about one in twenty, and what is deep has hardly anything else. */
const suspicious = samples / 8;
/** Spreads the samples, so that a text that repeats itself is met at each of its places. */
const spreading = 40_503;

const quote = 0x22;
const backslash = 0x5c;
const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;

/**
 * Whether a long value that is little but brackets nests too deep to be given to the engine's parser, which takes 150 times as long for a
 * level as for a byte, and eighty bytes of memory. Other values are looked at in a thousand places alone: reading all of them
 * once more would be felt in every stream.
 */
export function nestsTooDeep(part: Pick<DataPart, "buffer" | "start" | "end">): boolean {
  return part.end - part.start > shortBytes && isMostlyBrackets(part) && isDeep(part);
}

function isMostlyBrackets({ buffer, start, end }: Pick<DataPart, "buffer" | "start" | "end">): boolean {
  let opening = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const at = start + ((sample * spreading * spreading) % (end - start));
    opening += isOpening(buffer[at]) ? 1 : 0;
  }
  return opening >= suspicious;
}

function isDeep({ buffer, start, end }: Pick<DataPart, "buffer" | "start" | "end">): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < end && depth <= maxNesting; at += 1) {
    const byte = buffer[at];
    if (isInString) {
      at += byte === backslash ? 1 : 0;
      isInString = byte !== quote;
    } else if (byte === quote) {
      isInString = true;
    } else if (isOpening(byte)) {
      depth += 1;
    } else if (isClosing(byte)) {
      depth -= 1;
    }
  }
  return depth > maxNesting;
}
