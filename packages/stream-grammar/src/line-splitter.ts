import { Buffer, isAscii } from "node:buffer";
import { giveBack, take } from "./buffer-pool.ts";

const LF = 10;
const CR = 13;
const nothing = Buffer.alloc(0);

/** Where one line lies: `buffer[start, end)` without its line feed. The buffer is only valid during the call. */
export interface Line {
  buffer: Buffer;
  start: number;
  end: number;
  /** Offset of the line's first byte in the stream. */
  offset: number;
  /** Stamp of the chunk that completed the line. */
  atMicros: number;
  /** Whether the line may hold a carriage return; `false` is certain. */
  mayHoldCr: boolean;
  /** Whether the line may hold bytes above 127; `false` is certain. */
  mayHoldNonAscii: boolean;
}

export interface LineSplitter {
  push(bytes: Uint8Array, atMicros: number): void;
  /** The bytes after the last line feed, if there are any. */
  rest(): Line | undefined;
  /** Bytes pushed so far. */
  readonly bytes: number;
}

export interface LineSplitterOptions {
  /** Longest line in bytes without its line feed. */
  readonly maxLineBytes: number;
  /** Called for each complete line with one object that is used again for the next line. */
  readonly onLine: (line: Line) => void;
  /** Called after each chunk that leaves a line without its end, with what has arrived of it. */
  readonly onPart?: (line: Line) => void;
  /** Called once when a line exceeds the limit; nothing more is read after it. */
  readonly onTooLong: (lineOffset: number) => void;
}

/**
 * Cuts bytes at line feeds. A line inside one chunk is handed over as a view on that chunk; one that spans chunks is
 * copied once into pooled memory, at most `maxLineBytes` of it.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const line = { buffer: nothing, start: 0, end: 0, offset: 0, atMicros: 0, mayHoldCr: false, mayHoldNonAscii: false };
  const splitter: Splitter = {
    options,
    line,
    kept: nothing,
    keptBytes: 0,
    keptCr: false,
    keptNonAscii: false,
    base: 0,
    stopped: false,
  };
  return {
    push: (bytes, atMicros) => push(splitter, bytes, atMicros),
    rest: () => rest(splitter),
    get bytes() {
      return splitter.base;
    },
  };
}

interface Splitter {
  readonly options: LineSplitterOptions;
  readonly line: Line;
  /** The beginning of a line whose end has not come. */
  kept: Buffer;
  keptBytes: number;
  keptCr: boolean;
  keptNonAscii: boolean;
  /** Offset of the current chunk. */
  base: number;
  stopped: boolean;
}

function push(splitter: Splitter, bytes: Uint8Array, atMicros: number): void {
  const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { line } = splitter;
  // One pass each over the chunk costs far less than a call for each line.
  const mayHoldCr = chunk.indexOf(CR) !== -1;
  const mayHoldNonAscii = !isAscii(chunk);
  line.atMicros = atMicros;
  let start = 0;
  while (start < chunk.length && !splitter.stopped) {
    // Blank lines are a third of all lines: look at the byte before calling the search.
    const end = chunk[start] === LF ? start : chunk.indexOf(LF, start);
    line.mayHoldCr = mayHoldCr;
    line.mayHoldNonAscii = mayHoldNonAscii;
    if (end === -1) {
      keep(splitter, chunk, { start, end: chunk.length });
      splitter.keptCr ||= mayHoldCr;
      splitter.keptNonAscii ||= mayHoldNonAscii;
      emitPart(splitter, chunk.length);
      break;
    }
    if (splitter.keptBytes > 0) {
      emitKept(splitter, chunk, end);
    } else {
      emitView(splitter, chunk, { start, end });
    }
    start = end + 1;
  }
  splitter.base += chunk.length;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function tooLong(splitter: Splitter, lineOffset: number): void {
  splitter.stopped = true;
  splitter.options.onTooLong(lineOffset);
}

function keep(splitter: Splitter, chunk: Buffer, { start, end }: Span): void {
  const { keptBytes } = splitter;
  const need = keptBytes + (end - start);
  if (need > splitter.options.maxLineBytes) {
    tooLong(splitter, splitter.base + start - keptBytes);
    return;
  }
  if (need > splitter.kept.length) {
    const larger = take(need);
    splitter.kept.copy(larger, 0, 0, keptBytes);
    giveBack(splitter.kept);
    splitter.kept = larger;
  }
  chunk.copy(splitter.kept, keptBytes, start, end);
  splitter.keptBytes = need;
}

function emitKept(splitter: Splitter, chunk: Buffer, end: number): void {
  const { line } = splitter;
  const offset = splitter.base - splitter.keptBytes;
  keep(splitter, chunk, { start: 0, end });
  if (splitter.stopped) {
    return;
  }
  line.buffer = splitter.kept;
  line.start = 0;
  line.end = splitter.keptBytes;
  line.offset = offset;
  line.mayHoldCr ||= splitter.keptCr;
  line.mayHoldNonAscii ||= splitter.keptNonAscii;
  splitter.options.onLine(line);
  giveBack(splitter.kept);
  splitter.kept = nothing;
  splitter.keptBytes = 0;
  splitter.keptCr = false;
  splitter.keptNonAscii = false;
}

function emitPart(splitter: Splitter, chunkBytes: number): void {
  const { line, options, kept, keptBytes } = splitter;
  if (options.onPart === undefined || splitter.stopped) {
    return;
  }
  line.buffer = kept;
  line.start = 0;
  line.end = keptBytes;
  line.offset = splitter.base + chunkBytes - keptBytes;
  line.mayHoldCr = splitter.keptCr;
  line.mayHoldNonAscii = splitter.keptNonAscii;
  options.onPart(line);
}

function emitView(splitter: Splitter, chunk: Buffer, { start, end }: Span): void {
  if (end - start > splitter.options.maxLineBytes) {
    tooLong(splitter, splitter.base + start);
    return;
  }
  const { line } = splitter;
  line.buffer = chunk;
  line.start = start;
  line.end = end;
  line.offset = splitter.base + start;
  splitter.options.onLine(line);
}

function rest({ line, kept, keptBytes, keptCr, keptNonAscii, base, stopped }: Splitter): Line | undefined {
  if (keptBytes === 0 || stopped) {
    return undefined;
  }
  const place = { buffer: kept, start: 0, end: keptBytes, offset: base - keptBytes };
  return { ...place, atMicros: line.atMicros, mayHoldCr: keptCr, mayHoldNonAscii: keptNonAscii };
}
