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
  unfinishedLine(): Line | undefined;
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
    keptBuffer: emptyBuffer,
    keptBytes: 0,
    keptMayHoldCr: false,
    keptMayHoldNonAscii: false,
    chunkOffset: 0,
    isStopped: false,
  };
  return {
    push: (bytes, atMicros) => push(splitter, bytes, atMicros),
    unfinishedLine: () => getUnfinishedLine(splitter),
    get bytes() {
      return splitter.chunkOffset;
    },
  };
}

interface Splitter {
  readonly options: LineSplitterOptions;
  readonly line: Line;
  /** Start of an unfinished line. */
  keptBuffer: Buffer;
  keptBytes: number;
  keptMayHoldCr: boolean;
  keptMayHoldNonAscii: boolean;
  /** Offset of the current chunk. */
  chunkOffset: number;
  isStopped: boolean;
}

function push(splitter: Splitter, bytes: Uint8Array, atMicros: number): void {
  const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { line } = splitter;
  // Two passes over the chunk cost far less than a call per line.
  const mayHoldCr = chunk.indexOf(CR) !== -1;
  const mayHoldNonAscii = !isAscii(chunk);
  line.atMicros = atMicros;
  let start = 0;
  while (start < chunk.length && !splitter.isStopped) {
    // A third of all lines are blank, so check the byte before searching.
    const end = chunk[start] === LF ? start : chunk.indexOf(LF, start);
    line.mayHoldCr = mayHoldCr;
    line.mayHoldNonAscii = mayHoldNonAscii;
    if (end === -1) {
      keep(splitter, chunk, { start, end: chunk.length });
      splitter.keptMayHoldCr ||= mayHoldCr;
      splitter.keptMayHoldNonAscii ||= mayHoldNonAscii;
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
  splitter.chunkOffset += chunk.length;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function stopAtLongLine(splitter: Splitter, lineOffset: number): void {
  splitter.isStopped = true;
  splitter.options.onTooLong(lineOffset);
}

function keep(splitter: Splitter, chunk: Buffer, { start, end }: Span): void {
  const { keptBytes } = splitter;
  const neededBytes = keptBytes + (end - start);
  if (neededBytes > splitter.options.maxLineBytes) {
    stopAtLongLine(splitter, splitter.chunkOffset + start - keptBytes);
    return;
  }
  if (neededBytes > splitter.keptBuffer.length) {
    const largerBuffer = acquireBuffer(neededBytes);
    splitter.keptBuffer.copy(largerBuffer, 0, 0, keptBytes);
    releaseBuffer(splitter.keptBuffer);
    splitter.keptBuffer = largerBuffer;
  }
  chunk.copy(splitter.keptBuffer, keptBytes, start, end);
  splitter.keptBytes = neededBytes;
}

function emitKept(splitter: Splitter, chunk: Buffer, end: number): void {
  const { line } = splitter;
  const offset = splitter.chunkOffset - splitter.keptBytes;
  keep(splitter, chunk, { start: 0, end });
  if (splitter.isStopped) {
    return;
  }
  line.buffer = splitter.keptBuffer;
  line.start = 0;
  line.end = splitter.keptBytes;
  line.offset = offset;
  line.mayHoldCr ||= splitter.keptMayHoldCr;
  line.mayHoldNonAscii ||= splitter.keptMayHoldNonAscii;
  splitter.options.onLine(line);
  releaseBuffer(splitter.keptBuffer);
  splitter.keptBuffer = emptyBuffer;
  splitter.keptBytes = 0;
  splitter.keptMayHoldCr = false;
  splitter.keptMayHoldNonAscii = false;
}

function emitPart(splitter: Splitter, chunkBytes: number): void {
  const { line, options, keptBuffer, keptBytes } = splitter;
  if (options.onPart === undefined || splitter.isStopped) {
    return;
  }
  line.buffer = keptBuffer;
  line.start = 0;
  line.end = keptBytes;
  line.offset = splitter.chunkOffset + chunkBytes - keptBytes;
  line.mayHoldCr = splitter.keptMayHoldCr;
  line.mayHoldNonAscii = splitter.keptMayHoldNonAscii;
  options.onPart(line);
}

function emitView(splitter: Splitter, chunk: Buffer, { start, end }: Span): void {
  if (end - start > splitter.options.maxLineBytes) {
    stopAtLongLine(splitter, splitter.chunkOffset + start);
    return;
  }
  const { line } = splitter;
  line.buffer = chunk;
  line.start = start;
  line.end = end;
  line.offset = splitter.chunkOffset + start;
  splitter.options.onLine(line);
}

function getUnfinishedLine({
  line,
  keptBuffer,
  keptBytes,
  keptMayHoldCr,
  keptMayHoldNonAscii,
  chunkOffset,
  isStopped,
}: Splitter): Line | undefined {
  if (keptBytes === 0 || isStopped) {
    return undefined;
  }
  const position = { buffer: keptBuffer, start: 0, end: keptBytes, offset: chunkOffset - keptBytes };
  return { ...position, atMicros: line.atMicros, mayHoldCr: keptMayHoldCr, mayHoldNonAscii: keptMayHoldNonAscii };
}
