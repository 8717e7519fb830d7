import type { DataPart } from "./incremental-array.ts";

/** Maximum nesting of arrays and objects in a long value. */
export const maxNesting = 10_000;

/** Shorter values are always parsed, because their cost is small. */
const maxUncheckedBytes = 64 * 1024;
const sampleCount = 1024;
/**
 * Number of opening brackets in the samples from which a value is scanned completely: 1 in 8. Source code has about 1 in 20. Deeply nested
 * text has almost only brackets.
 */
const minSuspiciousCount = sampleCount / 8;
/** Spreads the samples, so that periodic text is sampled at different positions. A prime, because a factor shared with the period of the text would not. */
const sampleSpread = 40_009;

const quote = 0x22;
const backslash = 0x5c;
const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;

/**
 * Reports whether a long value, mostly brackets, nests too deeply for the engine's parser. A level costs the parser 150 times as much time
 * as a byte, and 80 bytes of memory. Other values are only sampled at a thousand positions, because a full second pass would slow down
 * every stream.
 */
export function nestsTooDeep(part: Pick<DataPart, "buffer" | "start" | "end">): boolean {
  return part.end - part.start > maxUncheckedBytes && isMostlyBrackets(part) && exceedsMaxNesting(part);
}

function isMostlyBrackets({ buffer, start, end }: Pick<DataPart, "buffer" | "start" | "end">): boolean {
  let openingCount = 0;
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const index = start + ((sample * sampleSpread * sampleSpread) % (end - start));
    openingCount += isOpening(buffer[index]) ? 1 : 0;
  }
  return openingCount >= minSuspiciousCount;
}

function exceedsMaxNesting({ buffer, start, end }: Pick<DataPart, "buffer" | "start" | "end">): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = start; index < end && depth <= maxNesting; index += 1) {
    const byte = buffer[index];
    if (isInString) {
      index += byte === backslash ? 1 : 0;
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
