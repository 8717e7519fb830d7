import type { ContextLines } from "./context-lines.ts";
import { type FileHits, type HitLine, type RipgrepRecord, readRipgrepRecord } from "./file-hits.ts";
import { splitRecords } from "./output-records.ts";
import { toPathArgument, splitIntoBatches } from "./path-batches.ts";
import type { ProcessPool } from "./process-pool.ts";
import { runRipgrep } from "./run-ripgrep.ts";

export interface FileSearch {
  /** Alternative regular expressions in ripgrep's syntax. */
  readonly patterns: readonly string[];
  readonly caseSensitive: boolean;
  /** Paths relative to `directory`. Results have the same order. */
  readonly paths: readonly string[];
  readonly directory: string;
  readonly context: ContextLines;
  /** Maximum number of hits in a file. Lines after the one that exceeds it are dropped, except for context. */
  readonly maxHitsPerFile: number;
  readonly signal: AbortSignal;
  readonly pool: ProcessPool;
}

type PatternChoice = Pick<FileSearch, "patterns" | "caseSensitive">;

/** Passes patterns with `-e` and ends them with `--`, so that neither a pattern nor a path can become an option. */
const patternArguments = ({ patterns, caseSensitive }: PatternChoice): readonly string[] => [
  caseSensitive ? "--case-sensitive" : "--ignore-case",
  ...patterns.flatMap((pattern) => ["-e", pattern]),
  "--",
];

/** Limit on the kept lines of one file. */
const maxBytesPerFile = 8 * 1024 * 1024;

interface FileDraft {
  readonly path: string;
  readonly lines: HitLine[];
  hitCount: number;
  byteCount: number;
  isCut: boolean;
  /** Number of the last line with kept hits. */
  lastHitLine: number;
}

const createFileDraft = (path: string): FileDraft => ({
  path,
  lines: [],
  hitCount: 0,
  byteCount: 0,
  isCut: false,
  lastHitLine: -1,
});

const addLine = (file: FileDraft, line: HitLine, { context, maxHitsPerFile }: FileSearch): void => {
  const isFull = file.byteCount > maxBytesPerFile;
  file.isCut ||= line.spans.length > 0 && (file.hitCount > maxHitsPerFile || isFull);
  const isLateContext = file.isCut && !isFull && line.lineNumber <= file.lastHitLine + context.after;
  if (file.isCut && !isLateContext) {
    return;
  }
  const spans = file.isCut ? [] : line.spans;
  file.lines.push({ ...line, spans });
  file.hitCount += spans.length;
  file.byteCount += line.bytes.length;
  file.lastHitLine = spans.length > 0 ? line.lineNumber : file.lastHitLine;
};

/** Groups the records of one process by file. Skips binary files. */
const createCollector = (search: FileSearch): ((record: RipgrepRecord) => FileHits | undefined) => {
  let file = createFileDraft("");
  return (record) => {
    switch (record.type) {
      case "begin":
        file = createFileDraft(record.path);
        return undefined;
      case "line":
        addLine(file, record.line, search);
        return undefined;
      case "end": {
        const { hitCount, isCut, lines, path } = file;
        return record.isBinary || hitCount === 0 ? undefined : { path, lines, ...(isCut ? { isCut } : {}) };
      }
    }
  };
};

async function* searchBatch(search: FileSearch, batch: readonly string[]): AsyncGenerator<readonly FileHits[]> {
  const { context, directory, pool, signal } = search;
  const contextArguments = ["-B", `${context.before}`, "-A", `${context.after}`];
  const args = ["--json", ...contextArguments, ...patternArguments(search), ...batch.map(toPathArgument)];
  const collect = createCollector(search);
  for await (const records of splitRecords(runRipgrep({ args, cwd: directory, signal, pool }))) {
    yield records
      .map((record) => readRipgrepRecord(record))
      .filter((record) => record !== undefined)
      .map((record) => collect(record))
      .filter((file) => file !== undefined);
  }
}

/** Hits, and at the end of each batch the finished paths. */
export interface SearchedPart {
  readonly hits: readonly FileHits[];
  /** Present when all of these paths have been searched. */
  readonly finishedPaths?: readonly string[];
}

/**
 * Searches the contents of files and yields hits while ripgrep runs, in path order. A file with a NUL byte is binary and has no hits. Ends
 * early, without an error, when the signal fires.
 */
export async function* searchFiles(search: FileSearch): AsyncGenerator<SearchedPart> {
  for (const batch of splitIntoBatches(search.paths)) {
    for await (const hits of searchBatch(search, batch)) {
      yield { hits };
    }
    if (search.signal.aborted) {
      return;
    }
    yield { hits: [], finishedPaths: batch };
  }
}

const nul = 0;

/** Returns the paths whose content matches. They may include binary files. */
export const findFilesWithMatch = async (
  search: Omit<FileSearch, "context" | "maxHitsPerFile">,
): Promise<ReadonlySet<string>> => {
  const foundPaths = new Set<string>();
  for (const batch of splitIntoBatches(search.paths)) {
    const args = ["--files-with-matches", "--null", ...patternArguments(search), ...batch.map(toPathArgument)];
    const output = runRipgrep({ args, cwd: search.directory, signal: search.signal, pool: search.pool });
    for await (const paths of splitRecords(output, nul)) {
      paths.forEach((path) => foundPaths.add(path.replace(/^\.\//u, "")));
    }
  }
  return foundPaths;
};
