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
  for (let offset = at; offset < at + length; offset += 1) {
    sample = (sample << 8) | (foldedCodes[text.charCodeAt(offset) & 0xff] ?? 0);
  }
  return sample;
}

/** The place of a sample in a table of 64 Ki entries, which several samples share. */
const placeOf = (sample: number): number => Math.imul(sample, 0x9e3779b1) >>> 16;

/**
 * Searches for words in texts with one character per byte. Takes samples that are so far apart that each occurrence contains one, so most
 * of the text is not read.
 */
export class WordSearch {
  readonly #words: SearchedWord[] = [];
  readonly #candidates = new Map<number, Candidate[]>();
  /** 1 where a sample has candidates. Reading it takes a fraction of the time of looking a sample up, and most samples have none. */
  readonly #hasCandidates = new Uint8Array(0x1_0000);
  readonly #sampleLength: number;
  /** Distance between the starts of samples. */
  readonly #step: number;

  /** No word may be shorter than `minLength`, which is at least 1. The longer it is, the less of a text is read. */
  constructor(minLength: number) {
    this.#sampleLength = Math.min(sampleLength, minLength);
    this.#step = minLength - this.#sampleLength + 1;
  }

  /** Words are numbered from 0 in the order in which they are added. */
  add(word: SearchedWord): void {
    const index = this.#words.push(word) - 1;
    for (let offset = 0; offset < this.#step; offset += 1) {
      const sample = readSample(word.text, offset, this.#sampleLength);
      const candidates = this.#candidates.get(sample);
      this.#hasCandidates[placeOf(sample)] = 1;
      if (candidates === undefined) {
        this.#candidates.set(sample, [{ index, offset }]);
      } else {
        candidates.push({ index, offset });
      }
    }
  }

  /** Calls `onFound` with the index and the offset of each occurrence of each word. */
  search(text: string, onFound: (index: number, at: number) => void): void {
    const hasCandidates = this.#hasCandidates;
    const length = this.#sampleLength;
    const step = this.#step;
    const lastStart = this.#words.length === 0 ? -1 : text.length - length;
    for (let at = 0; at <= lastStart; at += step) {
      const sample = readSample(text, at, length);
      if (hasCandidates[placeOf(sample)] === 1) {
        this.#compareCandidates(text, { at, sample }, onFound);
      }
    }
  }

  #compareCandidates(
    text: string,
    { at, sample }: { readonly at: number; readonly sample: number },
    onFound: (index: number, at: number) => void,
  ): void {
    for (const { index, offset } of this.#candidates.get(sample) ?? []) {
      const word = this.#words[index];
      if (word !== undefined && occursAt(text, at - offset, word)) {
        onFound(index, at - offset);
      }
    }
  }
}

function occursAt(searched: string, at: number, { text, normalize }: SearchedWord): boolean {
  const part = searched.slice(at, at + text.length);
  return at >= 0 && (normalize?.(part) ?? part) === text;
}

/** Creates the search for given words, which must not be empty. */
export function createWordSearch(words: readonly SearchedWord[]): WordSearch {
  const search = new WordSearch(Math.min(...words.map(({ text }) => text.length)));
  words.forEach((word) => search.add(word));
  return search;
}
