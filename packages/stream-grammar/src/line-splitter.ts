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

interface SplitterOptions {
  readonly maxLineBytes: number;
  /** Called for each complete line with one object that is used again for the next line. */
  readonly onLine: (line: Line) => void;
  /** Called once when a line exceeds the limit; nothing more is read after it. */
  readonly onTooLong: (lineOffset: number) => void;
}

/**
 * Cuts bytes at line feeds. A line inside one chunk is handed over as a view on that chunk; one that spans chunks is
 * copied once into pooled memory, at most `maxLineBytes` of it.
 */
export function createLineSplitter({ maxLineBytes, onLine, onTooLong }: SplitterOptions): LineSplitter {
  let scratch: Buffer = nothing;
  let kept = 0;
  let keptMayHoldCr = false;
  let keptMayHoldNonAscii = false;
  let base = 0;
  let stopped = false;
  const line: Line = {
    buffer: nothing,
    start: 0,
    end: 0,
    offset: 0,
    atMicros: 0,
    mayHoldCr: false,
    mayHoldNonAscii: false,
  };

  const keep = (chunk: Buffer, start: number, end: number): void => {
    const need = kept + (end - start);
    if (need > maxLineBytes) {
      stopped = true;
      onTooLong(base + start - kept);
      return;
    }
    if (need > scratch.length) {
      const larger = take(need);
      scratch.copy(larger, 0, 0, kept);
      giveBack(scratch);
      scratch = larger;
    }
    chunk.copy(scratch, kept, start, end);
    kept = need;
  };

  const emitKept = (chunk: Buffer, end: number): void => {
    const offset = base - kept;
    keep(chunk, 0, end);
    if (stopped) {
      return;
    }
    line.buffer = scratch;
    line.start = 0;
    line.end = kept;
    line.offset = offset;
    line.mayHoldCr ||= keptMayHoldCr;
    line.mayHoldNonAscii ||= keptMayHoldNonAscii;
    onLine(line);
    giveBack(scratch);
    scratch = nothing;
    kept = 0;
    keptMayHoldCr = false;
    keptMayHoldNonAscii = false;
  };

  const emitView = (chunk: Buffer, start: number, end: number): void => {
    if (end - start > maxLineBytes) {
      stopped = true;
      onTooLong(base + start);
      return;
    }
    line.buffer = chunk;
    line.start = start;
    line.end = end;
    line.offset = base + start;
    onLine(line);
  };

  return {
    push(bytes, atMicros) {
      const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      // One pass each over the chunk costs far less than a call for each line.
      const mayHoldCr = chunk.indexOf(CR) !== -1;
      const mayHoldNonAscii = !isAscii(chunk);
      line.atMicros = atMicros;
      let start = 0;
      while (start < chunk.length && !stopped) {
        // Blank lines are a third of all lines: look at the byte before calling the search.
        const end = chunk[start] === LF ? start : chunk.indexOf(LF, start);
        line.mayHoldCr = mayHoldCr;
        line.mayHoldNonAscii = mayHoldNonAscii;
        if (end === -1) {
          keep(chunk, start, chunk.length);
          keptMayHoldCr ||= mayHoldCr;
          keptMayHoldNonAscii ||= mayHoldNonAscii;
          break;
        }
        if (kept > 0) {
          emitKept(chunk, end);
        } else {
          emitView(chunk, start, end);
        }
        start = end + 1;
      }
      base += chunk.length;
    },
    rest() {
      if (kept === 0 || stopped) {
        return undefined;
      }
      const offset = base - kept;
      return {
        ...line,
        buffer: scratch,
        start: 0,
        end: kept,
        offset,
        mayHoldCr: keptMayHoldCr,
        mayHoldNonAscii: keptMayHoldNonAscii,
      };
    },
    get bytes() {
      return base;
    },
  };
}
