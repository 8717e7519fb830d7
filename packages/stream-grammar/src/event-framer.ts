import { Buffer, isUtf8 } from "node:buffer";
import { createBlock, endBlock, hasBothFields, isWhole, takeLine, takePart } from "./event-block.ts";
import type { Block, BlockEvents, Place } from "./event-block.ts";
import { invalidUtf8Offset } from "./invalid-utf8-offset.ts";
import { createLineSplitter } from "./line-splitter.ts";
import type { Line, LineSplitter } from "./line-splitter.ts";

export interface EventFramerOptions extends BlockEvents {
  /** Longest line in bytes without its line feed. */
  readonly maxLineBytes: number;
  /** Called once when a line exceeds the limit; nothing more is read after it. */
  onTooLong(lineOffset: number): void;
}

/** Bytes in, frames out: everything that can be said without looking into the data. */
export interface EventFramer {
  push(chunk: Uint8Array, atMicros: number): void;
  /** The stream closed in good order; reports an event that it cut off. */
  end(): void;
  /** Nothing more is read. */
  stop(): void;
  readonly stopped: boolean;
  /** Bytes pushed so far. */
  readonly bytes: number;
  /** Index of the event being read, or of the next one. */
  readonly eventIndex: number;
}

const CR = 13;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

interface Framer {
  readonly events: BlockEvents;
  readonly block: Block;
  stopped: boolean;
  /** Bytes of the last line that are no character, unless it is the end of the stream that cuts one in two. */
  excused: Place | undefined;
}

/**
 * Cuts bytes into events and checks the form of their lines: line ends, UTF-8, the two fields, blank lines. Incremental,
 * in memory bounded by the largest line. Source: search-stream, section 6.
 */
export function createEventFramer(options: EventFramerOptions): EventFramer {
  const framer: Framer = { events: options, block: createBlock(options), stopped: false, excused: undefined };
  const splitter = createLineSplitter({
    maxLineBytes: options.maxLineBytes,
    onLine: (line) => takeRawLine(framer, line),
    onPart(line) {
      if (!framer.stopped) {
        takePart(framer.block, line);
      }
    },
    onTooLong(lineOffset) {
      framer.stopped = true;
      options.onTooLong(lineOffset);
    },
  });
  return {
    push: (chunk, atMicros) => splitter.push(chunk, atMicros),
    end: () => end(framer, splitter),
    stop() {
      framer.stopped = true;
    },
    get stopped() {
      return framer.stopped;
    },
    get bytes() {
      return splitter.bytes;
    },
    get eventIndex() {
      return framer.block.index;
    },
  };
}

/** Handles what concerns a line as bytes (byte order mark, UTF-8, carriage returns) before its meaning. */
function takeRawLine(framer: Framer, line: Line): void {
  if (framer.stopped) {
    return;
  }
  if (line.mayHoldNonAscii) {
    checkText(framer, line);
  }
  const cr = line.mayHoldCr ? line.buffer.subarray(line.start, line.end).indexOf(CR) : -1;
  if (cr === -1) {
    takeLine(framer.block, line);
    return;
  }
  const ends = line.start + cr === line.end - 1;
  framer.events.onViolation("carriage-return", {
    offset: line.offset + cr,
    length: 1,
    ...(ends ? {} : { standardClient: "other-events" }),
  });
  // The usual case is CRLF; leaving the CR out keeps one departure from becoming many.
  takeLine(framer.block, ends ? { ...line, end: line.end - 1 } : line);
}

function checkText(framer: Framer, line: Line): void {
  const { events, block } = framer;
  if (line.offset === 0 && line.buffer.subarray(line.start, line.end).subarray(0, 3).equals(byteOrderMark)) {
    events.onViolation("byte-order-mark", { offset: 0, length: 3 });
    line.start += 3;
    line.offset += 3;
  }
  const text = line.buffer.subarray(line.start, line.end);
  if (!isUtf8(text)) {
    const at = invalidUtf8Offset(text) ?? 0;
    // A sequence that the end of the stream cuts in two is not the sender's mistake.
    const place = { offset: line.offset + at, length: 1 };
    if (block.cutOff && text.length - at < 4) {
      framer.excused = place;
    } else {
      events.onViolation("invalid-utf8", place);
    }
  }
}

function end(framer: Framer, splitter: LineSplitter): void {
  if (framer.stopped) {
    return;
  }
  const { block, events } = framer;
  const rest = splitter.rest();
  const wasComplete = hasBothFields(block);
  block.cutOff = true;
  if (rest !== undefined) {
    takeRawLine(framer, rest);
  }
  const isOpen = block.name !== undefined || block.hasData;
  const place = { offset: splitter.bytes, length: 0 };
  if (rest === undefined ? wasComplete : !wasComplete && isWhole(block)) {
    if (framer.excused !== undefined) {
      events.onViolation("invalid-utf8", framer.excused);
    }
    // Events are separated by two newlines; that something follows the last one is not said.
    events.onObservation("no-last-separator", place);
  } else if (isOpen || rest !== undefined) {
    events.onViolation("unterminated-event", place);
  }
  endBlock(block, splitter.bytes);
}
