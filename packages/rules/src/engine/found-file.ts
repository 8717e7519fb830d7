/** The results of one search in one file, as received. */
export interface FoundFile {
  readonly repository: string;
  readonly path: string;
  /** Line matches: the text of each line by line number. Undefined if the text was not a string or was not kept. */
  readonly lines: ReadonlyMap<number, string | undefined>;
  /** Numbers of lines without a marked range. Some instances send context lines in this form. */
  readonly unmarkedLines: ReadonlySet<number>;
  /** Texts of the chunk matches, in order of arrival. */
  readonly chunkTexts: readonly string[];
  /** The commit that the matches name, or undefined. */
  readonly commit: string | undefined;
  /** Whether there may be more matched lines than in `lines`: a match had no line matches, or one without a number. */
  readonly mayHaveMoreLines: boolean;
  /** Whether its matches disagree: different commits, or different texts for one line. */
  readonly hasConflicts: boolean;
  /** Whether a chunk match had no text, or a text that was not kept. */
  readonly lacksChunkText: boolean;
}

/** Returns the matched lines with their numbers. Lines without a marked range are skipped. */
export const matchedLines = ({ lines, unmarkedLines }: FoundFile): readonly (readonly [number, string | undefined])[] =>
  [...lines].filter(([number]) => !unmarkedLines.has(number));

/** Reports whether both may be the same state of a file: neither has conflicts, and their commits do not differ. */
export const mayBeSameState = (left: FoundFile, right: FoundFile): boolean =>
  !left.hasConflicts &&
  !right.hasConflicts &&
  (left.commit === undefined || right.commit === undefined || left.commit === right.commit);
