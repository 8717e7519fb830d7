/** One file that a search found something in, small enough to be searched again and again. */
export interface Pivot {
  readonly repository: string;
  readonly path: string;
  /** A word that stands on matched lines of the file. */
  readonly word: string;
  /** Two words of one matched line, the later one first: as they stand here the file probably does not hold them. */
  readonly swapped?: readonly [later: string, earlier: string];
}
