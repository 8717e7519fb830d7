interface Sequence {
  readonly length: number;
  /** Bounds of the second byte. They exclude overlong forms, surrogates and code points above U+10FFFF. */
  readonly minSecond: number;
  readonly maxSecond: number;
}

/** The continuation of each range of lead bytes (Unicode 15, table 3-7). No other byte is a lead byte. */
const sequences: readonly (Sequence & { readonly minLead: number; readonly maxLead: number })[] = [
  { minLead: 0x00, maxLead: 0x7f, length: 1, minSecond: 0x80, maxSecond: 0xbf },
  { minLead: 0xc2, maxLead: 0xdf, length: 2, minSecond: 0x80, maxSecond: 0xbf },
  { minLead: 0xe0, maxLead: 0xe0, length: 3, minSecond: 0xa0, maxSecond: 0xbf },
  { minLead: 0xe1, maxLead: 0xec, length: 3, minSecond: 0x80, maxSecond: 0xbf },
  { minLead: 0xed, maxLead: 0xed, length: 3, minSecond: 0x80, maxSecond: 0x9f },
  { minLead: 0xee, maxLead: 0xef, length: 3, minSecond: 0x80, maxSecond: 0xbf },
  { minLead: 0xf0, maxLead: 0xf0, length: 4, minSecond: 0x90, maxSecond: 0xbf },
  { minLead: 0xf1, maxLead: 0xf3, length: 4, minSecond: 0x80, maxSecond: 0xbf },
  { minLead: 0xf4, maxLead: 0xf4, length: 4, minSecond: 0x80, maxSecond: 0x8f },
];

const findSequence = (leadByte: number): Sequence | undefined =>
  sequences.find(({ minLead, maxLead }) => leadByte >= minLead && leadByte <= maxLead);

function isValidSequence(bytes: Uint8Array, offset: number, { length, minSecond, maxSecond }: Sequence): boolean {
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[offset + index];
    const [from, to] = index === 1 ? [minSecond, maxSecond] : [0x80, 0xbf];
    if (byte === undefined || byte < from || byte > to) {
      return false;
    }
  }
  return true;
}

/** Returns the offset of the lead byte of the first invalid sequence, or `undefined` for valid UTF-8. */
export function findInvalidUtf8(bytes: Uint8Array): number | undefined {
  let offset = 0;
  while (offset < bytes.length) {
    const sequence = findSequence(bytes[offset] ?? 0);
    if (sequence === undefined || !isValidSequence(bytes, offset, sequence)) {
      return offset;
    }
    offset += sequence.length;
  }
  return undefined;
}
