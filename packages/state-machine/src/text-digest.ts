import { Buffer } from "node:buffer";

const shortText = 128;
const maxWritten = 21_000;
/** Holds the longest text that is written into it, with a word to spare: a character takes at most three bytes. */
const scratch = Buffer.alloc(64 * 1024);
const words = new Int32Array(scratch.buffer, scratch.byteOffset, scratch.length / 4);

interface Lanes {
  low: number;
  high: number;
}

/** Takes in character codes one by one: nothing else is faster for ids and questions. */
function addUnits(lanes: Lanes, text: string): void {
  let { low, high } = lanes;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2_654_435_761);
    high = Math.imul(high ^ unit, 1_597_334_677);
  }
  lanes.low = low;
  lanes.high = high;
}

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

function addWord(lanes: Lanes, word: number): void {
  lanes.low = Math.imul(turned(lanes.low, 5) ^ word, 2_654_435_761);
  lanes.high = Math.imul(lanes.high ^ word ^ (lanes.high >>> 15), 1_597_334_677);
}

/**
 * Takes in sixteen bytes at a time: answers are long, and this is most of the work of the whole checker. Each word goes into one
 * of four lanes, which do not wait for each other, and into the fifth, so that words of one lane never stand for each other.
 */
function addBytes(lanes: Lanes, text: string): void {
  const length = scratch.write(text, 0, "utf8");
  scratch.fill(0, length, length + 16);
  const count = (length + 3) >> 2;
  let [a, b, c, d, all] = [lanes.low, lanes.high, ~lanes.low, ~lanes.high, length];
  for (let index = 0; index < count; index += 4) {
    const [first, second] = [words[index] ?? 0, words[index + 1] ?? 0];
    const [third, fourth] = [words[index + 2] ?? 0, words[index + 3] ?? 0];
    a = Math.imul(turned(a, 5) ^ first, 2_654_435_761);
    b = Math.imul(turned(b, 5) ^ second, 1_597_334_677);
    c = Math.imul(turned(c, 5) ^ third, 2_246_822_507);
    d = Math.imul(turned(d, 5) ^ fourth, 3_266_489_909);
    const mixed = first ^ turned(second, 8) ^ turned(third, 16) ^ turned(fourth, 24);
    all = Math.imul(all ^ mixed ^ (all >>> 15), 2_654_435_761);
  }
  lanes.high ^= all;
  addWord(lanes, a);
  addWord(lanes, b);
  addWord(lanes, c);
  addWord(lanes, d);
}

/**
 * A number of 53 bits for a text, alike for equal texts. Halves of surrogate pairs that stand alone are all alike. Not for keeping
 * secrets: a server that looks for two texts of one digest finds them and deceives nobody but itself.
 */
export function textDigest(text: string): number {
  const lanes = { low: 0xde_ad_be_ef ^ text.length, high: 0x41_c6_ce_57 };
  if (text.length <= shortText) {
    addUnits(lanes, text);
  } else {
    for (let start = 0; start < text.length; start += maxWritten) {
      addBytes(lanes, text.length <= maxWritten ? text : text.slice(start, start + maxWritten));
    }
  }
  return joined(lanes.low, lanes.high);
}

/** The digest of a list from that of the list without its last member and that of the member. */
export const chainedDigest = (list: number, member: number): number =>
  joined(
    Math.imul(low32(list) ^ low32(member), 2_654_435_761) ^ high21(member),
    Math.imul(high21(list) ^ (low32(member) >>> 7), 1_597_334_677) ^ low32(list),
  );

const low32 = (digest: number): number => digest | 0;
const high21 = (digest: number): number => Math.floor(digest / 4_294_967_296);

function joined(low: number, high: number): number {
  const first = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  const second = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(first ^ (first >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & second) + (first >>> 0);
}
