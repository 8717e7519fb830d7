interface Sequence {
  readonly length: number;
  /** Bounds of the second byte; they exclude overlong forms, surrogates and code points above U+10FFFF. */
  readonly low: number;
  readonly high: number;
}

/** What may follow a lead byte (Unicode 15, table 3-7), or `undefined` if the byte leads nothing. */
function sequenceOf(lead: number): Sequence | undefined {
  if (lead < 0x80) {
    return { length: 1, low: 0x80, high: 0xbf };
  }
  if (lead >= 0xc2 && lead <= 0xdf) {
    return { length: 2, low: 0x80, high: 0xbf };
  }
  if (lead >= 0xe0 && lead <= 0xef) {
    return { length: 3, low: lead === 0xe0 ? 0xa0 : 0x80, high: lead === 0xed ? 0x9f : 0xbf };
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    return { length: 4, low: lead === 0xf0 ? 0x90 : 0x80, high: lead === 0xf4 ? 0x8f : 0xbf };
  }
  return undefined;
}

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

/** Offset of the lead byte of the first sequence that is not UTF-8, or `undefined` if all of it is. */
export function invalidUtf8Offset(bytes: Uint8Array): number | undefined {
  let at = 0;
  while (at < bytes.length) {
    const sequence = sequenceOf(bytes[at] ?? 0);
    if (sequence === undefined || !isSequence(bytes, at, sequence)) {
      return at;
    }
    at += sequence.length;
  }
  return undefined;
}
