/** What one search showed of one file; all of it as received. */
export interface FoundFile {
  readonly repository: string;
  readonly path: string;
  /** Line matches: the text of each line by its number, `undefined` where it was no string or was not kept. */
  readonly lines: ReadonlyMap<number, string | undefined>;
  /** Numbers of those lines in which nothing is marked: some instances send lines around a match like this. */
  readonly unmarked: ReadonlySet<number>;
  /** Texts of the chunk matches, in the order of arrival. */
  readonly chunks: readonly string[];
  /** The commit it was found in; `undefined` when none was told. */
  readonly commit: string | undefined;
  /** Whether it may have more matched lines than `lines`: some element had no line matches, or one without a number. */
  readonly isOpen: boolean;
  /** Whether it came in several states: with different commits, or with different texts for a line. */
  readonly isMixed: boolean;
  /** Whether a chunk match had no text, or a text that was not kept. */
  readonly lacksChunkText: boolean;
}

/** The lines that matched, with their numbers: those in which something is marked. */
export const matchedLines = ({ lines, unmarked }: FoundFile): readonly (readonly [number, string | undefined])[] =>
  [...lines].filter(([number]) => !unmarked.has(number));

/** Whether both are the same state of a file, as far as anybody told. */
export const isSameState = (one: FoundFile, other: FoundFile): boolean =>
  !one.isMixed &&
  !other.isMixed &&
  (one.commit === undefined || other.commit === undefined || one.commit === other.commit);
