/** A line match: its text, its number, and the highlighted range. */
export type LineSketch = readonly [text: string, lineNumber: number, offset: number, length: number];

interface MatchSketch {
  readonly type?: unknown;
  readonly repository?: unknown;
  readonly path?: unknown;
  readonly lines?: readonly LineSketch[];
}

/** A content match with the members that a pivot needs. */
export const contentMatch = ({
  type = "content",
  repository = "github.com/a/b",
  path = "src/c.ts",
  lines = [["const needle = find(hay);", 7, 6, 6]],
}: MatchSketch): object => ({
  type,
  repository,
  path,
  lineMatches: lines.map(([line, lineNumber, offset, length]) => ({
    line,
    lineNumber,
    offsetAndLengths: [[offset, length]],
  })),
});

/** The bytes of one `matches` event. */
export const matchesEvent = (matches: readonly unknown[]): string =>
  `event: matches\ndata: ${JSON.stringify(matches)}\n\n`;
