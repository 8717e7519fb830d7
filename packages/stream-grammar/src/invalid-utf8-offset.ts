interface Sequence {
  readonly length: number;
  /** Bounds of the second byte. They exclude overlong forms, surrogates and code points above U+10FFFF. */
  readonly low: number;
  readonly high: number;
}

/** The continuation of each range of lead bytes (Unicode 15, table 3-7). No other byte is a lead byte. */
const sequences: readonly (Sequence & { readonly from: number; readonly to: number })[] = [
  { from: 0x00, to: 0x7f, length: 1, low: 0x80, high: 0xbf },
  { from: 0xc2, to: 0xdf, length: 2, low: 0x80, high: 0xbf },
  { from: 0xe0, to: 0xe0, length: 3, low: 0xa0, high: 0xbf },
  { from: 0xe1, to: 0xec, length: 3, low: 0x80, high: 0xbf },
  { from: 0xed, to: 0xed, length: 3, low: 0x80, high: 0x9f },
  { from: 0xee, to: 0xef, length: 3, low: 0x80, high: 0xbf },
  { from: 0xf0, to: 0xf0, length: 4, low: 0x90, high: 0xbf },
  { from: 0xf1, to: 0xf3, length: 4, low: 0x80, high: 0xbf },
  { from: 0xf4, to: 0xf4, length: 4, low: 0x80, high: 0x8f },
];

const findSequence = (lead: number): Sequence | undefined =>
  sequences.find(({ from, to }) => lead >= from && lead <= to);

function isSequence(bytes: Uint8Array, at: number, { length, low, high }: Sequence): boolean {
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index];
    const [from, to] = index === 1 ? [low, high] : [0x80, 0xbf];
    if (byte === undefined || byte < from || byte > to) {
      return false;
    }
  }
  return true;
}

/** Returns the offset of the lead byte of the first invalid sequence, or `undefined` for valid UTF-8. */
export function invalidUtf8Offset(bytes: Uint8Array): number | undefined {
  let at = 0;
  while (at < bytes.length) {
    const sequence = findSequence(bytes[at] ?? 0);
    if (sequence === undefined || !isSequence(bytes, at, sequence)) {
      return at;
    }
    at += sequence.length;
  }
  return undefined;
}
