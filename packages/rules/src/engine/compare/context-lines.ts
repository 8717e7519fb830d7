/** A matching line. Targets count lines from 0 or from 1. */
export interface MatchedLine {
  readonly number: number;
  readonly text: string;
}

/** The matched lines of a file, sorted by number, and the lines of its chunk matches. */
export interface MatchedFile {
  readonly matchedLines: readonly MatchedLine[];
  readonly chunkLines: readonly (readonly string[])[];
  /** Lines that other searches show at the edges of the file. Default: none. */
  readonly edges?: Edges;
}

/** Minimum number of lines of a file before its first and after its last matched line. */
export interface Edges {
  readonly before: number;
  readonly after: number;
}

const findPositions = (chunk: readonly string[], texts: ReadonlySet<string>): readonly number[] =>
  chunk.flatMap((line, position) => (texts.has(line) ? [position] : []));

const matchedTexts = ({ matchedLines }: MatchedFile): ReadonlySet<string> =>
  new Set(matchedLines.map(({ text }) => text));

/** Removes an empty last line. It may be a line of the file, or only the line end of the previous line. */
const withoutLastEmpty = (chunk: readonly string[]): readonly string[] =>
  chunk.at(-1) === "" ? chunk.slice(0, -1) : chunk;

function describeSurplus(chunk: readonly string[], texts: ReadonlySet<string>, lines: number): string | undefined {
  const positions = findPositions(chunk, texts);
  const [first] = positions;
  const last = positions.at(-1);
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const maxBetween = positions.reduce(
    (max, position, index) => Math.max(max, position - (positions[index - 1] ?? position) - 1),
    0,
  );
  const after = chunk.length - 1 - last;
  const excess = [
    { count: first, max: lines, location: "before a match" },
    { count: after, max: lines, location: "after a match" },
    { count: maxBetween, max: 2 * lines, location: "between two matches" },
  ].find(({ count, max }) => count > max);
  return excess === undefined ? undefined : `${excess.count} lines ${excess.location}`;
}

/**
 * Describes chunks with too many context lines: more than `lines` before the first or after the last matched line, or
 * more than `2 * lines` between two matched lines. Every line with the text of a matched line counts as matched.
 * Ignores chunks without matched lines.
 */
export function describeSurplusContext(file: MatchedFile, lines: number): readonly string[] {
  const texts = matchedTexts(file);
  return file.chunkLines.flatMap((chunk) => describeSurplus(withoutLastEmpty(chunk), texts, lines) ?? []);
}

/** Number of lines of a chunk before and after a matched line. */
interface ContextSize {
  readonly before: number;
  readonly after: number;
}

/** Returns the maximum number of lines before and after each matched text in any chunk. */
function maxContextByText(file: MatchedFile): ReadonlyMap<string, ContextSize> {
  const texts = matchedTexts(file);
  const contextByText = new Map<string, ContextSize>();
  for (const chunk of file.chunkLines) {
    for (const position of findPositions(chunk, texts)) {
      const text = chunk[position] ?? "";
      const { before, after } = contextByText.get(text) ?? { before: 0, after: 0 };
      contextByText.set(text, {
        before: Math.max(before, position),
        after: Math.max(after, chunk.length - 1 - position),
      });
    }
  }
  return contextByText;
}

/** Reports whether at least one line separates the context lines of two matched lines. */
const areContextsApart = (line: MatchedLine | undefined, next: MatchedLine | undefined, lines: number): boolean =>
  line !== undefined && next !== undefined && next.number - line.number > 2 * lines + 1;

/**
 * Returns how many lines the chunks show before the first and after the last matched line. The number is 0 if another
 * matched line has the same text.
 */
export function findEdges({ matchedLines, chunkLines }: MatchedFile): Edges {
  const trimmedChunks = chunkLines.map(withoutLastEmpty);
  const minLinesAround = (
    line: MatchedLine | undefined,
    count: (chunk: readonly string[], position: number) => number,
  ): number => {
    const isTextUnique = line !== undefined && matchedLines.filter(({ text }) => text === line.text).length === 1;
    const texts = new Set(isTextUnique ? [line.text] : []);
    const counts = trimmedChunks.flatMap((chunk) =>
      findPositions(chunk, texts).map((position) => count(chunk, position)),
    );
    return counts.length === 0 ? 0 : counts.reduce((min, value) => Math.min(min, value));
  };
  return {
    before: minLinesAround(matchedLines[0], (_, position) => position),
    after: minLinesAround(matchedLines.at(-1), ({ length }, position) => length - 1 - position),
  };
}

/**
 * Returns the required number of lines before a match. The line number shows how many lines precede the first match. If
 * the target counts lines from 0, one line fewer is required.
 */
const requiredBefore = (
  line: MatchedLine,
  previous: MatchedLine | undefined,
  { lines, edges }: { readonly lines: number; readonly edges: Edges | undefined },
): number => (previous === undefined ? Math.min(lines, Math.max(line.number - 1, edges?.before ?? 0)) : lines);

/** Returns the required number of lines after a match. Only other searches show where a file ends. */
const requiredAfter = (
  next: MatchedLine | undefined,
  { lines, edges }: { readonly lines: number; readonly edges: Edges | undefined },
): number => (next === undefined ? Math.min(lines, edges?.after ?? 0) : lines);

/**
 * Describes matched lines with fewer than `lines` lines before or after them, although the file has more. Ignores gaps
 * that a nearby match may share. Lines after the last match are required only if the evidence shows that they exist.
 */
export function describeMissingContext(file: MatchedFile, lines: number): readonly string[] {
  const contextByText = maxContextByText(file);
  return file.matchedLines.flatMap((line, index) => {
    const { before = 0, after = 0 } = contextByText.get(line.text) ?? {};
    const [previous, next] = [file.matchedLines[index - 1], file.matchedLines[index + 1]];
    const requirement = { lines, edges: file.edges };
    const lacksBefore =
      before < requiredBefore(line, previous, requirement) &&
      (previous === undefined || areContextsApart(previous, line, lines));
    const lacksAfter =
      after < requiredAfter(next, requirement) && (next === undefined || areContextsApart(line, next, lines));
    return [
      ...(lacksBefore ? [`only ${before} lines before line ${line.number}`] : []),
      ...(lacksAfter ? [`only ${after} lines after line ${line.number}`] : []),
    ];
  });
}

/**
 * Reports whether the file can reveal a wrong number of context lines. This requires enough lines before the first
 * match or after the last match, or two matches that are far apart.
 */
export function canRevealWrongContext({ matchedLines, edges }: MatchedFile, lines: number): boolean {
  const minLines = Math.max(1, lines);
  return matchedLines.some((line, index) => {
    const previous = matchedLines[index - 1];
    const next = matchedLines[index + 1];
    const requirement = { lines: minLines, edges };
    const hasBefore = previous === undefined && requiredBefore(line, previous, requirement) === minLines;
    const hasAfter = next === undefined && requiredAfter(next, requirement) === minLines;
    return hasBefore || hasAfter || areContextsApart(line, next, minLines);
  });
}
