/** A file with matches that comparison searches are limited to. */
export interface Pivot {
  readonly repository: string;
  readonly path: string;
  /** A word on matched lines of the file. */
  readonly word: string;
  /**
   * A text with a dot from one matched line, which as a regular expression also finds another matched line. Both readings find
   * something, so both answers show the index state.
   */
  readonly dotted?: string;
  /**
   * Two words that are adjacent on one matched line, while another line has only one of them. Searches for the phrase and for the
   * single words both find something, but different lines.
   */
  readonly phrase?: readonly [first: string, second: string];
  /** Two words of one matched line in reverse order, in which the file probably does not contain them. */
  readonly swapped?: readonly [later: string, earlier: string];
}
