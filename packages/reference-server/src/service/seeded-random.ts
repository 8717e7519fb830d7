/** Returns numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Hashes a string to 32 bits (FNV-1a over UTF-16 units). Equal strings have equal hashes on every platform. */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};

/** Creates a small reproducible generator (mulberry32). The same seed and label always produce the same numbers. */
export const seededRandom = (seed: number, label: string): Random => {
  let state = hash32(`${seed}/${label}`);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Returns hex digits, which are the same for the same seed and label. */
export const seededHexDigits = (
  seed: number,
  { label, digits }: { readonly label: string; readonly digits: number },
): string => {
  const random = seededRandom(seed, label);
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
};
