import { Buffer, isUtf8 } from "node:buffer";
import { grammarLimits, grammarObservations, grammarViolations } from "@assay/contract";
import type {
  GrammarLimitCode,
  GrammarObservationCode,
  GrammarViolationCode,
  StandardClientView,
} from "@assay/contract";
import { createBlock, endBlock, takeLine } from "./event-block.ts";
import type { Block, BlockEvents, EndedBlock, Frame, Place } from "./event-block.ts";
import { invalidUtf8Offset } from "./invalid-utf8-offset.ts";
import { jsonErrorOffset } from "./json-error-offset.ts";
import { createLineSplitter } from "./line-splitter.ts";
import type { Line, LineSplitter } from "./line-splitter.ts";

/** One event of the stream, handed over as soon as both fields have arrived. */
export interface StreamEvent {
  /** Name as sent, at most 100 bytes of it; escape before showing. */
  readonly name: string;
  /** Index of the event in its stream, from 0; malformed events count. */
  readonly index: number;
  /** Offset of the event's first byte. */
  readonly offset: number;
  /** Offset and length of the data value in bytes. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Stamp of the chunk that completed the data line, in microseconds. */
  readonly atMicros: number;
  /** `false` when the data is not JSON; `value` is then `undefined`. */
  readonly parsed: boolean;
  readonly value: unknown;
}

/** What the checker has to say: a departure from the format, a permitted choice, or a limit of its own. */
export type GrammarFinding = Place & { readonly event: number; readonly title: string } & (
    | { readonly kind: "violation"; readonly code: GrammarViolationCode; readonly standardClient: StandardClientView }
    | { readonly kind: "observation"; readonly code: GrammarObservationCode; readonly gap: string }
    | { readonly kind: "limit"; readonly code: GrammarLimitCode; readonly limitBytes: number }
  );

export interface StreamLimits {
  /** Longest line in bytes without its line feed; default 64 MiB. */
  readonly maxLineBytes: number;
  /** Observations with distinct details reported for one code; default 50. */
  readonly maxObservationDetails: number;
}

export interface StreamCheckerOptions {
  readonly onEvent?: (event: StreamEvent) => void;
  readonly onFinding: (finding: GrammarFinding) => void;
  readonly limits?: Partial<StreamLimits>;
}

export interface StreamChecker {
  /** Takes the next bytes and their time of arrival in microseconds; the bytes may be reused after the call. */
  push(chunk: Uint8Array, atMicros: number): void;
  /** The stream closed in good order. Not called when the transport failed: a cut connection is no end of a stream. */
  end(): void;
}

export const defaultStreamLimits: StreamLimits = { maxLineBytes: 64 * 1024 * 1024, maxObservationDetails: 50 };

const CR = 13;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

interface Checker {
  readonly options: StreamCheckerOptions;
  readonly limits: StreamLimits;
  readonly block: Block;
  readonly observed: Map<string, Set<string>>;
  /** Offset behind the first `done`, or -1 while it has not come. */
  doneEnd: number;
  reportedAfterDone: boolean;
  stopped: boolean;
  /** A finding that a second data line would explain better; reported when the block ends without one. */
  notJson: Place | undefined;
}

/**
 * Checks the bytes of one stream against the event format: incremental, in memory bounded by the largest line. Findings
 * come in the order of the bytes and do not depend on how the bytes were cut. Violations are reported each time,
 * observations once for each distinct detail. After a limit nothing more is read. Source: search-stream, section 6.
 */
export function createStreamChecker(options: StreamCheckerOptions): StreamChecker {
  const limits = { ...defaultStreamLimits, ...options.limits };
  const checker: Checker = {
    options,
    limits,
    block: createBlock(blockEvents(() => checker)),
    observed: new Map(),
    doneEnd: -1,
    reportedAfterDone: false,
    stopped: false,
    notJson: undefined,
  };
  const splitter = createLineSplitter({
    maxLineBytes: limits.maxLineBytes,
    onLine: (line) => takeRawLine(checker, line),
    onTooLong: (offset) => stopAtLimit(checker, "line-too-long", offset),
  });
  return {
    push: (chunk, atMicros) => splitter.push(chunk, atMicros),
    end: () => end(checker, splitter),
  };
}

function blockEvents(checker: () => Checker): BlockEvents {
  return {
    onViolation: (code, place) => violation(checker(), code, place),
    onObservation: (code, place) => observation(checker(), code, place),
    onFrame: (frame) => takeFrame(checker(), frame),
    onBlockEnd: (block) => takeBlockEnd(checker(), block),
  };
}

function stopAtLimit(checker: Checker, code: GrammarLimitCode, offset: number): void {
  checker.stopped = true;
  const limitBytes = checker.limits.maxLineBytes;
  const { title } = grammarLimits[code];
  checker.options.onFinding({ kind: "limit", code, title, limitBytes, offset, length: 0, event: checker.block.index });
}

type Departure = Place & { readonly standardClient?: StandardClientView };

function violation(checker: Checker, code: GrammarViolationCode, place: Departure): void {
  if (checker.doneEnd !== -1 && code !== "second-done") {
    bytesAfterDone(checker);
    return;
  }
  const { title, standardClient } = grammarViolations[code];
  const event = checker.block.index;
  checker.options.onFinding({
    kind: "violation",
    code,
    title,
    standardClient,
    event,
    ...place,
  });
}

/** Whatever follows `done` is one departure, whatever else is wrong with it. */
function bytesAfterDone(checker: Checker): void {
  if (!checker.reportedAfterDone) {
    checker.reportedAfterDone = true;
    const { title, standardClient } = grammarViolations["bytes-after-done"];
    const place = { event: checker.block.index, offset: checker.doneEnd, length: 1 };
    checker.options.onFinding({ kind: "violation", code: "bytes-after-done", title, standardClient, ...place });
  }
}

function observation(checker: Checker, code: GrammarObservationCode, place: Place): void {
  const detail = place.detail ?? "";
  const seen = checker.observed.get(code) ?? new Set();
  if (checker.doneEnd !== -1 || seen.has(detail) || seen.size >= checker.limits.maxObservationDetails) {
    return;
  }
  checker.observed.set(code, seen.add(detail));
  const { title, gap } = grammarObservations[code];
  checker.options.onFinding({ kind: "observation", code, title, gap, event: checker.block.index, ...place });
}

/** Handles what concerns a line as bytes (byte order mark, UTF-8, carriage returns) before its meaning. */
function takeRawLine(checker: Checker, line: Line): void {
  if (checker.stopped) {
    return;
  }
  if (line.mayHoldNonAscii) {
    checkText(checker, line);
  }
  const cr = line.mayHoldCr ? line.buffer.subarray(line.start, line.end).indexOf(CR) : -1;
  if (cr === -1) {
    takeLine(checker.block, line);
    return;
  }
  const ends = line.start + cr === line.end - 1;
  violation(checker, "carriage-return", {
    offset: line.offset + cr,
    length: 1,
    ...(ends ? {} : { standardClient: "error" }),
  });
  // The usual case is CRLF; leaving the CR out keeps one departure from becoming many.
  takeLine(checker.block, ends ? { ...line, end: line.end - 1 } : line);
}

function checkText(checker: Checker, line: Line): void {
  if (line.offset === 0 && line.buffer.subarray(line.start, line.end).subarray(0, 3).equals(byteOrderMark)) {
    violation(checker, "byte-order-mark", { offset: 0, length: 3 });
    line.start += 3;
    line.offset += 3;
  }
  const text = line.buffer.subarray(line.start, line.end);
  if (!isUtf8(text)) {
    const at = invalidUtf8Offset(text) ?? 0;
    // A sequence that the end of the stream cuts in two is not the sender's mistake.
    if (!(checker.block.cutOff && text.length - at < 4)) {
      violation(checker, "invalid-utf8", { offset: line.offset + at, length: 1 });
    }
  }
}

function takeFrame(checker: Checker, frame: Frame): void {
  if (checker.doneEnd !== -1) {
    if (frame.name !== "done") {
      bytesAfterDone(checker);
    }
    return;
  }
  // Latin-1 reads ASCII as it is, and fastest.
  const { buffer, start, end } = frame;
  const value = parse(buffer.toString(frame.mayHoldNonAscii ? "utf8" : "latin1", start, end));
  if (value === notJson) {
    takeNotJson(checker, frame);
    return;
  }
  if (frame.name === "done" && !isEmptyObject(value)) {
    violation(checker, "done-not-empty", { offset: frame.dataOffset, length: end - start });
  }
  handOver(checker, frame, { parsed: true, value });
}

function takeNotJson(checker: Checker, frame: Frame): void {
  const { buffer, start, end, dataOffset, cutOff } = frame;
  if (cutOff) {
    return;
  }
  const at = jsonErrorOffset(buffer.subarray(start, end));
  if (at === undefined) {
    stopAtLimit(checker, "json-too-deep", dataOffset);
    return;
  }
  checker.notJson = { offset: dataOffset + at, length: at < end - start ? 1 : 0 };
  handOver(checker, frame, { parsed: false, value: undefined });
}

function handOver(checker: Checker, frame: Frame, data: Pick<StreamEvent, "parsed" | "value">): void {
  const { name, index, offset, dataOffset, atMicros, start, end } = frame;
  const { parsed, value } = data;
  checker.options.onEvent?.({ name, index, offset, dataOffset, dataBytes: end - start, atMicros, parsed, value });
}

const notJson = Symbol("not JSON");

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever the engine refuses it for: whether it is JSON, and where it stops being it, is found by our own scanner.
    return notJson;
  }
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function takeBlockEnd(checker: Checker, block: EndedBlock): void {
  const { notJson: place } = checker;
  checker.notJson = undefined;
  if (place !== undefined && !block.repeatedData) {
    violation(checker, "data-not-json", place);
  }
  if (block.name !== "done") {
    return;
  }
  if (checker.doneEnd === -1) {
    checker.doneEnd = block.endOffset;
  } else {
    violation(checker, "second-done", { offset: block.offset, length: block.endOffset - block.offset });
  }
}

function end(checker: Checker, splitter: LineSplitter): void {
  if (checker.stopped) {
    return;
  }
  const { block } = checker;
  const rest = splitter.rest();
  block.cutOff = true;
  if (rest !== undefined) {
    takeRawLine(checker, rest);
  }
  const isOpen = block.name !== undefined || block.hasData;
  if (isOpen || rest !== undefined) {
    violation(checker, "unterminated-event", { offset: splitter.bytes, length: 0 });
  }
  if (isOpen) {
    endBlock(block, splitter.bytes);
  }
  if (checker.doneEnd === -1) {
    violation(checker, "no-done", { offset: splitter.bytes, length: 0 });
  }
}
