import { Buffer, isAscii } from "node:buffer";
import { releaseBuffer, acquireBuffer } from "./buffer-pool.ts";

const LF = 10;
const CR = 13;
const emptyBuffer = Buffer.alloc(0);

/** Position of a line: `buffer[start, end)` without its line feed. The buffer is only valid during the call. */
export interface Line {
  buffer: Buffer;
  start: number;
  end: number;
  /** Offset of the line's first byte in the stream. */
  offset: number;
  /** Time of the chunk that completed the line. */
  atMicros: number;
  /** `false` guarantees that the line contains no carriage return. */
  mayHoldCr: boolean;
  /** `false` guarantees that the line contains no byte above 127. */
  mayHoldNonAscii: boolean;
}

export interface LineSplitter {
  push(bytes: Uint8Array, atMicros: number): void;
  /** The bytes after the last line feed, if any. */
  rest(): Line | undefined;
  /** Bytes pushed so far. */
  readonly bytes: number;
}

export interface LineSplitterOptions {
  /** Maximum line length in bytes, without the line feed. */
  readonly maxLineBytes: number;
  /** Called for each complete line. The object is reused for the next line. */
  readonly onLine: (line: Line) => void;
  /** Called after each chunk that ends inside a line, with the part of the line that has arrived. */
  readonly onPart?: (line: Line) => void;
  /** Called once if a line exceeds the limit. Reading stops then. */
  readonly onTooLong: (lineOffset: number) => void;
}

/**
 * Splits bytes at line feeds. A line inside one chunk is passed as a view of that chunk. A line that spans chunks is copied
 * once into pooled memory, up to `maxLineBytes` of it.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const line = {
    buffer: emptyBuffer,
    start: 0,
    end: 0,
    offset: 0,
    atMicros: 0,
    mayHoldCr: false,
    mayHoldNonAscii: false,
  };
  const splitter: Splitter = {
    options,
    line,
    kept: emptyBuffer,
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
  /** Start of an unfinished line. */
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
  // Two passes over the chunk cost far less than a call per line.
  const mayHoldCr = chunk.indexOf(CR) !== -1;
  const mayHoldNonAscii = !isAscii(chunk);
  line.atMicros = atMicros;
  let start = 0;
  while (start < chunk.length && !splitter.stopped) {
    // A third of all lines are blank, so check the byte before searching.
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
    const larger = acquireBuffer(need);
    splitter.kept.copy(larger, 0, 0, keptBytes);
    releaseBuffer(splitter.kept);
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
  releaseBuffer(splitter.kept);
  splitter.kept = emptyBuffer;
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
