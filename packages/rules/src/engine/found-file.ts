/** What one search found in one file, as received. */
export interface FoundFile {
  readonly repository: string;
  readonly path: string;
  /** Line matches: the text of each line by its number; undefined if it was not a string or was not kept. */
  readonly lines: ReadonlyMap<number, string | undefined>;
  /** Numbers of lines without a marked range: some instances send context lines like this. */
  readonly unmarked: ReadonlySet<number>;
  /** Texts of the chunk matches, in order of arrival. */
  readonly chunks: readonly string[];
  /** The commit it was found in; undefined if the matches name none. */
  readonly commit: string | undefined;
  /** Whether it may have more matched lines than `lines`: a match had no line matches, or one without a number. */
  readonly isOpen: boolean;
  /** Whether its matches disagree: different commits, or different texts for one line. */
  readonly isMixed: boolean;
  /** Whether a chunk match had no text, or a text that was not kept. */
  readonly lacksChunkText: boolean;
}

/** The matched lines with their numbers: those with a marked range. */
export const matchedLines = ({ lines, unmarked }: FoundFile): readonly (readonly [number, string | undefined])[] =>
  [...lines].filter(([number]) => !unmarked.has(number));

/** Reports whether both may be the same state of a file: neither is mixed, and their commits do not differ. */
export const isSameState = (one: FoundFile, other: FoundFile): boolean =>
  !one.isMixed &&
  !other.isMixed &&
  (one.commit === undefined || other.commit === undefined || one.commit === other.commit);
