import { Buffer, isUtf8 } from "node:buffer";
import { createBlock, endBlock, hasBothFields, isComplete, handleLine, handlePart } from "./event-block.ts";
import type { Block, BlockEvents, FindingPosition } from "./event-block.ts";
import { findInvalidUtf8 } from "./invalid-utf8-offset.ts";
import { createLineSplitter } from "./line-splitter.ts";
import type { Line, LineSplitter } from "./line-splitter.ts";

export interface EventFramerOptions extends BlockEvents {
  /** Maximum line length in bytes, without the line feed. */
  readonly maxLineBytes: number;
  /** Called once if a line exceeds the limit. Reading stops then. */
  onTooLong(lineOffset: number): void;
}

/** Splits bytes into frames. Performs all checks that do not need parsed data. */
export interface EventFramer {
  push(chunk: Uint8Array, atMicros: number): void;
  /** Ends the stream. Call it after a clean end. Reports an event that was truncated. */
  end(): void;
  /** Stops reading. */
  stop(): void;
  readonly isStopped: boolean;
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
  isStopped: boolean;
  /** Invalid UTF-8 in the last line. Reported unless the end of the stream truncated a character. */
  invalidUtf8: FindingPosition | undefined;
}

/**
 * Splits bytes into events and checks their lines: line ends, UTF-8, the two fields, blank lines. Incremental. Memory is bounded by the
 * longest line. Source: search-stream, section 6.
 */
export function createEventFramer(options: EventFramerOptions): EventFramer {
  const framer: Framer = { events: options, block: createBlock(options), isStopped: false, invalidUtf8: undefined };
  const splitter = createLineSplitter({
    maxLineBytes: options.maxLineBytes,
    onLine: (line) => checkRawLine(framer, line),
    onPart(line) {
      if (!framer.isStopped) {
        handlePart(framer.block, line);
      }
    },
    onTooLong(lineOffset) {
      framer.isStopped = true;
      options.onTooLong(lineOffset);
    },
  });
  return {
    push: (chunk, atMicros) => splitter.push(chunk, atMicros),
    end: () => endStream(framer, splitter),
    stop() {
      framer.isStopped = true;
    },
    get isStopped() {
      return framer.isStopped;
    },
    get bytes() {
      return splitter.bytes;
    },
    get eventIndex() {
      return framer.block.index;
    },
  };
}

/** Checks the bytes of a line (byte order mark, UTF-8, carriage returns) before its meaning. */
function checkRawLine(framer: Framer, line: Line): void {
  if (framer.isStopped) {
    return;
  }
  if (line.mayHoldNonAscii) {
    checkEncoding(framer, line);
  }
  const crIndex = line.mayHoldCr ? line.buffer.subarray(line.start, line.end).indexOf(CR) : -1;
  if (crIndex === -1) {
    handleLine(framer.block, line);
    return;
  }
  const endsLine = line.start + crIndex === line.end - 1;
  framer.events.onViolation("carriage-return", {
    offset: line.offset + crIndex,
    length: 1,
    ...(endsLine ? {} : { standardClient: "other-events" }),
  });
  // Usually the line ends with CRLF. Dropping the CR avoids reporting one violation many times.
  handleLine(framer.block, endsLine ? { ...line, end: line.end - 1 } : line);
}

function checkEncoding(framer: Framer, line: Line): void {
  const { events, block } = framer;
  if (line.offset === 0 && line.buffer.subarray(line.start, line.end).subarray(0, 3).equals(byteOrderMark)) {
    events.onViolation("byte-order-mark", { offset: 0, length: 3 });
    line.start += 3;
    line.offset += 3;
  }
  const text = line.buffer.subarray(line.start, line.end);
  if (!isUtf8(text)) {
    const invalidOffset = findInvalidUtf8(text) ?? 0;
    // A character truncated by the end of the stream is not an encoding error.
    const position = { offset: line.offset + invalidOffset, length: 1 };
    if (block.isCutOff && text.length - invalidOffset < 4) {
      framer.invalidUtf8 = position;
    } else {
      events.onViolation("invalid-utf8", position);
    }
  }
}

function endStream(framer: Framer, splitter: LineSplitter): void {
  if (framer.isStopped) {
    return;
  }
  const { block, events } = framer;
  const unfinishedLine = splitter.unfinishedLine();
  const hadBothFields = hasBothFields(block);
  block.isCutOff = true;
  if (unfinishedLine !== undefined) {
    checkRawLine(framer, unfinishedLine);
  }
  const isOpen = block.name !== undefined || block.hasData;
  const position = { offset: splitter.bytes, length: 0 };
  if (unfinishedLine === undefined ? hadBothFields : !hadBothFields && isComplete(block)) {
    if (framer.invalidUtf8 !== undefined) {
      events.onViolation("invalid-utf8", framer.invalidUtf8);
    }
    // Two newlines separate events. It is unspecified whether they follow the last event.
    events.onObservation("no-last-separator", position);
  } else if (isOpen || unfinishedLine !== undefined) {
    events.onViolation("unterminated-event", position);
  }
  endBlock(block, splitter.bytes);
}
