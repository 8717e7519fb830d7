/** One file that a search found something in, small enough to be searched again and again. */
export interface Pivot {
  readonly repository: string;
  readonly path: string;
  /** A word that stands on matched lines of the file. */
  readonly word: string;
  /**
   * A text with a dot in it that stands on one matched line: as a regular expression it finds another of them as well.
   * Both ways to read it find something, so both tell in which state of the index they did.
   */
  readonly dotted?: string;
  /**
   * Two words that stand side by side on one matched line, while another has one of them alone: as a phrase and as single
   * words they find something, and not the same.
   */
  readonly phrase?: readonly [first: string, second: string];
  /** Two words of one matched line, the later one first: as they stand here the file probably does not hold them. */
  readonly swapped?: readonly [later: string, earlier: string];
}
