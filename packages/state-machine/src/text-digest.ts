import { Buffer } from "node:buffer";

const maxShortCharacters = 128;
const maxWrittenCharacters = 21_000;
/** Fits the longest text written into it plus one word. A character takes at most three bytes. */
const scratch = Buffer.alloc(64 * 1024);
const words = new Int32Array(scratch.buffer, scratch.byteOffset, scratch.length / 4);

interface Lanes {
  low: number;
  high: number;
}

/** Adds character codes one by one, the fastest way for ids and questions. */
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

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

function addWord(lanes: Lanes, word: number): void {
  lanes.low = Math.imul(rotate(lanes.low, 5) ^ word, 2_654_435_761);
  lanes.high = Math.imul(lanes.high ^ word ^ (lanes.high >>> 15), 1_597_334_677);
}

/**
 * Adds sixteen bytes at a time. Answers are long, so this is most of the work of the checker. Each word is added to one of four independent
 * lanes and to a fifth one, so that swapping words of different lanes changes the digest.
 */
function addBytes(lanes: Lanes, text: string): void {
  const length = scratch.write(text, 0, "utf8");
  scratch.fill(0, length, length + 16);
  const count = (length + 3) >> 2;
  let [a, b, c, d, mixedLane] = [lanes.low, lanes.high, ~lanes.low, ~lanes.high, length];
  for (let index = 0; index < count; index += 4) {
    const [first, second] = [words[index] ?? 0, words[index + 1] ?? 0];
    const [third, fourth] = [words[index + 2] ?? 0, words[index + 3] ?? 0];
    a = Math.imul(rotate(a, 5) ^ first, 2_654_435_761);
    b = Math.imul(rotate(b, 5) ^ second, 1_597_334_677);
    c = Math.imul(rotate(c, 5) ^ third, 2_246_822_507);
    d = Math.imul(rotate(d, 5) ^ fourth, 3_266_489_909);
    const mixed = first ^ rotate(second, 8) ^ rotate(third, 16) ^ rotate(fourth, 24);
    mixedLane = Math.imul(mixedLane ^ mixed ^ (mixedLane >>> 15), 2_654_435_761);
  }
  lanes.high ^= mixedLane;
  addWord(lanes, a);
  addWord(lanes, b);
  addWord(lanes, c);
  addWord(lanes, d);
}

/**
 * Returns a 53-bit digest of a text. All unpaired surrogates are equal. Not for security: a server that constructs a collision only
 * deceives itself.
 */
export function textDigest(text: string): number {
  const lanes = { low: 0xde_ad_be_ef ^ text.length, high: 0x41_c6_ce_57 };
  if (text.length <= maxShortCharacters) {
    addUnits(lanes, text);
  } else {
    for (let start = 0; start < text.length; start += maxWrittenCharacters) {
      addBytes(lanes, text.length <= maxWrittenCharacters ? text : text.slice(start, start + maxWrittenCharacters));
    }
  }
  return joinLanes(lanes.low, lanes.high);
}

/** Digest of a list, from the digest of the list without its last member and the digest of that member. */
export const chainedDigest = (list: number, member: number): number =>
  joinLanes(
    Math.imul(low32(list) ^ low32(member), 2_654_435_761) ^ high21(member),
    Math.imul(high21(list) ^ (low32(member) >>> 7), 1_597_334_677) ^ low32(list),
  );

const low32 = (digest: number): number => digest | 0;
const high21 = (digest: number): number => Math.floor(digest / 4_294_967_296);

function joinLanes(low: number, high: number): number {
  const first = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  const second = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(first ^ (first >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & second) + (first >>> 0);
}

const maxExcerptCharacters = 80;
const maxKeyCharacters = 256;

/** Copies the beginning of a text. A slice would keep the whole text in memory; a serialized copy does not. */
export function copyStart(text: string, length: number): string {
  const copy: string = JSON.parse(JSON.stringify(text.slice(0, length)));
  return copy;
}

const isPlain = (unit: number): boolean =>
  unit > 31 && (unit < 127 || unit > 159) && (unit < 0xd8_00 || unit > 0xdf_ff);

const replaceUnsafe = (text: string): string =>
  Array.from(text, (character) =>
    character.length > 1 || isPlain(character.charCodeAt(0)) ? character : "\u{FFFD}",
  ).join("");

/** Matches text without characters to replace. */
const plainText = /^[ -~]*$/;

/** Returns an excerpt of a target's text for a finding: at most 80 characters, without control characters. */
export function excerpt(text: string): string {
  const start = text.length > maxExcerptCharacters ? copyStart(text, maxExcerptCharacters - 1) : text;
  const safe = plainText.test(start) ? start : replaceUnsafe(start);
  return text.length > maxExcerptCharacters ? `${safe}…` : safe;
}

/** Returns the text as a key. Long texts are shortened and get a digest. */
export const boundedKey = (text: string): string =>
  text.length > maxKeyCharacters
    ? `${copyStart(text, maxKeyCharacters)}… (${text.length} characters, ${textDigest(text).toString(16)})`
    : text;

interface CachedText<Value> {
  readonly text: string;
  readonly value: Value;
}

const cacheSlots = 1024;

/** Returns a function that computes a value from a text. The last text of each slot is cached. `slotOf` returns any integer. */
export function cacheByText<Value>(
  compute: (text: string) => Value,
  slotOf: (text: string) => number,
): (text: string) => Value {
  const cache: (CachedText<Value> | undefined)[] = Array.from({ length: cacheSlots }, () => undefined);
  return (text) => {
    const slot = slotOf(text) & (cacheSlots - 1);
    const cached = cache[slot];
    if (cached?.text === text) {
      return cached.value;
    }
    const value = compute(text);
    cache[slot] = { text, value };
    return value;
  };
}

const sampledCharacters = 8;

/** Returns a number from the characters at the start, in the middle and at the end. */
function sampleText(text: string): number {
  const { length } = text;
  let sample = length;
  for (let index = 0; index < sampledCharacters; index += 1) {
    sample = Math.imul(sample ^ text.charCodeAt(index), 2_654_435_761);
    sample = Math.imul(sample ^ text.charCodeAt((length >> 1) + index), 1_597_334_677);
    sample = Math.imul(sample ^ text.charCodeAt(length - 1 - index), 2_246_822_507);
  }
  return sample >>> 16;
}

const maxCachedCharacters = 16 * 1024;

/**
 * Creates a digest function for texts that are usually repeated: comparing two long texts is several times as fast as digesting one. Caches
 * at most 1024 texts of at most 16 Ki characters.
 */
export function createTextDigester(): (text: string) => number {
  const digestCached = cacheByText(textDigest, sampleText);
  return (text) =>
    text.length > maxShortCharacters && text.length <= maxCachedCharacters ? digestCached(text) : textDigest(text);
}
