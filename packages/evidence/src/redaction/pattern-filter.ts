import { decodeCharacters } from "./encoded-characters.ts";
import type { SecretPattern } from "./secret-patterns.ts";
import { createWordSearch } from "./word-search.ts";
import type { SearchedWord } from "./word-search.ts";

/** The search for all words reads more of a text if one of them is short, so shorter ones are searched for by themselves. */
const minSharedLength = 8;

/** A word and the index of its pattern. */
interface PatternWord extends SearchedWord {
  readonly pattern: number;
}

/** Creates a function that adds to `found` the pattern of each word that occurs in a text. */
function createWordFinder(words: readonly PatternWord[]): (text: string, found: Set<number>) => void {
  const longWords = words.filter(({ text }) => text.length >= minSharedLength);
  const shortWords = words.filter(({ text }) => text.length < minSharedLength);
  const search = longWords.length === 0 ? () => {} : createWordSearch(longWords);
  return (text, found) => {
    search(text, (index) => found.add(longWords[index]?.pattern ?? 0));
    for (const { text: word, pattern } of shortWords) {
      if (text.includes(word)) {
        found.add(pattern);
      }
    }
  };
}

/**
 * Creates a function that returns the patterns that may occur in a text with one character per byte, in their order. It reads the text
 * once for all patterns, so many secrets take little more time than a few.
 */
export function createPatternFilter<Pattern extends SecretPattern>(
  patterns: readonly Pattern[],
): (text: string) => readonly Pattern[] {
  const alwaysFound = patterns.flatMap(({ word }, pattern) => (word === undefined ? [pattern] : []));
  const findWords = createWordFinder(
    patterns.flatMap(({ word }, pattern) => (word === undefined ? [] : [{ ...word, pattern }])),
  );
  const decodedWords = patterns.flatMap(({ decodedWord }, pattern) =>
    decodedWord === undefined ? [] : [{ ...decodedWord, pattern }],
  );
  const findDecodedWords = createWordFinder(decodedWords);
  return (text) => {
    const found = new Set(alwaysFound);
    findWords(text, found);
    const decodedText = decodedWords.length === 0 ? text : decodeCharacters(text);
    if (decodedText !== text) {
      findDecodedWords(decodedText, found);
    }
    return found.size === 0 ? [] : patterns.filter((_pattern, index) => found.has(index));
  };
}
