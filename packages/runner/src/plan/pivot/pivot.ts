/** A file to which comparison searches are limited. */
export interface Pivot {
  readonly repository: string;
  readonly path: string;
  /** A word on matched lines of the file. */
  readonly word: string;
  /**
   * Text with a dot from one matched line. As a regular expression it also matches a second line. Both interpretations find matches, so
   * both responses show the index state.
   */
  readonly dottedText?: string;
  /**
   * Two words that are adjacent on one matched line, while a second line contains only one of them. Searches for the phrase and for the
   * single words both find matches, but on different lines.
   */
  readonly phrase?: readonly [first: string, second: string];
  /** Two words of one matched line in reverse order. The file probably does not contain them in this order. */
  readonly swappedWords?: readonly [later: string, earlier: string];
}

/** A file with matched lines that have characters which faulty encoding corrupts. */
export interface SpecialFile {
  readonly repository: string;
  readonly path: string;
  /** A word on all of these lines. */
  readonly word: string;
  /** Regular expressions, one for each kind of character, which match one of the lines. */
  readonly expressions: readonly string[];
}
