import { decodeCharacters } from "./encoded-characters.ts";
import type { SecretPattern } from "./secret-patterns.ts";
import { WordSearch } from "./word-search.ts";
import type { SearchedWord } from "./word-search.ts";

/** The search for all words reads more of a text if one of them is short, so shorter ones are searched for by themselves. */
const minSharedLength = 8;

/** Words, each with the index of its pattern. */
class PatternWords {
  readonly #search = new WordSearch(minSharedLength);
  /** By index of the word in the search. */
  readonly #patterns: number[] = [];
  readonly #shortWords: { readonly text: string; readonly pattern: number }[] = [];

  add(word: SearchedWord, pattern: number): void {
    if (word.text.length < minSharedLength) {
      this.#shortWords.push({ text: word.text, pattern });
    } else {
      this.#search.add(word);
      this.#patterns.push(pattern);
    }
  }

  /** Adds the pattern of each word that occurs in a text. */
  find(text: string, found: Set<number>): void {
    this.#search.search(text, (index) => found.add(this.#patterns[index] ?? 0));
    for (const { text: word, pattern } of this.#shortWords) {
      if (text.includes(word)) {
        found.add(pattern);
      }
    }
  }
}

/** A pattern, and the value of the secret that it finds. */
export interface ValuePattern extends SecretPattern {
  readonly value: string;
}

/**
 * Finds the patterns that may occur in a text with one character per byte. Reads the text once for all patterns, and many secrets take
 * little more time than a few.
 */
export class PatternFilter {
  readonly #patterns: ValuePattern[] = [];
  readonly #withoutWord: number[] = [];
  readonly #words = new PatternWords();
  readonly #decodedWords = new PatternWords();
  #hasDecodedWords = false;

  add(pattern: ValuePattern): void {
    const { word, decodedWord } = pattern;
    const index = this.#patterns.push(pattern) - 1;
    if (word === undefined) {
      this.#withoutWord.push(index);
    } else {
      this.#words.add(word, index);
    }
    if (decodedWord !== undefined) {
      this.#decodedWords.add(decodedWord, index);
      this.#hasDecodedWords = true;
    }
  }

  /** Returns the patterns of longer secrets first, so that a secret inside another one does not hide it. */
  find(text: string): readonly ValuePattern[] {
    const found = new Set(this.#withoutWord);
    this.#words.find(text, found);
    const decodedText = this.#hasDecodedWords ? decodeCharacters(text) : text;
    if (decodedText !== text) {
      this.#decodedWords.find(decodedText, found);
    }
    return [...found]
      .toSorted((first, second) => first - second)
      .flatMap((index) => this.#patterns[index] ?? [])
      .toSorted((first, second) => second.value.length - first.value.length);
  }
}
