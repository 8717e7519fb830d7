/** A word to search for. */
export interface SearchedWord {
  readonly text: string;
  /** Applied to a part of the searched text before it is compared with `text`. May change only letter case, `-` and `_`. Default: nothing. */
  readonly normalize?: (part: string) => string;
}

/** A word that may occur where its `offset`th character and the next ones were found. */
interface Candidate {
  readonly index: number;
  readonly offset: number;
}

/** Number of characters that are compared first. */
const sampleLength = 4;

/** By character code: lower case, and the standard alphabet of base64. */
const foldedCodes = Uint8Array.from({ length: 256 }, (_, code) =>
  String.fromCharCode(code).replace("-", "+").replace("_", "/").toLowerCase().charCodeAt(0),
);

/** The characters at an offset as one number. */
function readSample(text: string, at: number, length: number): number {
  let sample = 0;
  for (let offset = 0; offset < length; offset += 1) {
    sample = (sample << 8) | (foldedCodes[text.charCodeAt(at + offset)] ?? 0);
  }
  return sample;
}

/**
 * Returns a function that calls `onFound` with the index and the offset of each occurrence of each word in a text with one character per
 * byte. Takes samples that are so far apart that each occurrence contains one, so most of the text is not read. The words must not be
 * empty.
 */
export function createWordSearch(
  words: readonly SearchedWord[],
): (text: string, onFound: (index: number, at: number) => void) => void {
  const minLength = Math.min(...words.map(({ text }) => text.length));
  const length = Math.min(sampleLength, minLength);
  const step = minLength - length + 1;
  const candidates = new Map<number, Candidate[]>();
  for (const [index, { text }] of words.entries()) {
    for (let offset = 0; offset < step; offset += 1) {
      const sample = readSample(text, offset, length);
      candidates.set(sample, [...(candidates.get(sample) ?? []), { index, offset }]);
    }
  }
  const occursAt = (searched: string, at: number, { text, normalize }: SearchedWord): boolean => {
    const part = searched.slice(at, at + text.length);
    return at >= 0 && (normalize?.(part) ?? part) === text;
  };
  return (text, onFound) => {
    for (let at = 0; at + length <= text.length; at += step) {
      for (const { index, offset } of candidates.get(readSample(text, at, length)) ?? []) {
        const word = words[index];
        if (word !== undefined && occursAt(text, at - offset, word)) {
          onFound(index, at - offset);
        }
      }
    }
  };
}
