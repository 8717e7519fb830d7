import { grammarLimits, grammarObservations, grammarViolations } from "@assay/contract";
import type {
  GrammarLimitCode,
  GrammarObservationCode,
  GrammarViolationCode,
  StandardClientView,
} from "@assay/contract";
import { createIncrementalArray } from "./incremental-array.ts";
import type { DataReader, IncrementalArray } from "./incremental-array.ts";
import type { ViolationPosition, EndedBlock, Frame, FindingPosition } from "./event-block.ts";
import { createEventFramer } from "./event-framer.ts";
import type { EventFramer } from "./event-framer.ts";
import { findJsonError } from "./json-error-offset.ts";
import { nestsTooDeep } from "./nesting.ts";

/** One event of the stream, delivered as soon as both fields have arrived. */
export interface StreamEvent {
  /** The name, verbatim, at most 100 bytes. Escape it before showing. */
  readonly name: string;
  /** Index of the event in its stream, from 0. Malformed events are included. */
  readonly index: number;
  /** Offset of the event's first byte. */
  readonly offset: number;
  /** Offset and length of the data value in bytes. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Time of the chunk that completed the data line, in microseconds. */
  readonly atMicros: number;
  /** `false` if the data is not JSON; `value` is then `undefined`. */
  readonly parsed: boolean;
  /** What `JSON.parse` returns, or for `matches` what the `matchReader` returns. */
  readonly value: unknown;
}

/** A violation of the format, a permitted choice, or a limit of the checker. */
export type GrammarFinding = FindingPosition & { readonly event: number; readonly title: string } & (
    | { readonly kind: "violation"; readonly code: GrammarViolationCode; readonly standardClient: StandardClientView }
    | { readonly kind: "note"; readonly code: GrammarObservationCode; readonly behaviour: string }
    | { readonly kind: "limit"; readonly code: GrammarLimitCode; readonly limitBytes: number }
  );

export interface StreamLimits {
  /** Maximum line length in bytes, without the line feed. Default: 64 MiB. */
  readonly maxLineBytes: number;
  /** Maximum number of distinct details reported per observation code. Default: 50. */
  readonly maxObservationDetails: number;
}

export interface StreamCheckerOptions {
  readonly onEvent?: (event: StreamEvent) => void;
  readonly onFinding: (finding: GrammarFinding) => void;
  readonly limits?: Partial<StreamLimits>;
  /**
   * Reads the data of `matches` events. Their `value` is then what it returns, valid until the next event. Data that it cannot read is
   * parsed. Default: all data is parsed.
   */
  readonly matchReader?: DataReader<object>;
}

export interface StreamChecker {
  /** Accepts the next bytes and their arrival time in microseconds. The bytes may be reused after the call. */
  push(chunk: Uint8Array, atMicros: number): void;
  /** Ends the stream. Do not call it if the transport failed before `done`: a broken connection does not end a stream. */
  end(): void;
  /** Reports whether `done` has arrived with the blank line that ends it. */
  readonly isDone: boolean;
}

export const defaultStreamLimits: StreamLimits = { maxLineBytes: 64 * 1024 * 1024, maxObservationDetails: 50 };

/** Longer arrays are parsed in pieces of at least this length while they arrive. */
const minPieceBytes = 32 * 1024;

interface Checker {
  readonly options: StreamCheckerOptions;
  readonly limits: StreamLimits;
  readonly framer: EventFramer;
  readonly arrayParser: IncrementalArray;
  readonly reportedDetails: Map<string, Set<string>>;
  /** Offset after the first `done`, or -1 before it. */
  doneEndOffset: number;
  isAfterDoneReported: boolean;
  /** Invalid JSON, reported when the block ends. A second data line would explain it better. */
  invalidJsonPosition: FindingPosition | undefined;
}

/**
 * Checks the bytes of one stream against the event format. Incremental. Memory is bounded by the longest line. Findings are reported in the
 * order of the bytes and do not depend on the chunk boundaries. Violations are reported every time, observations once per distinct detail.
 * Reading stops at a limit. Source: search-stream, section 6.
 */
export function createStreamChecker(options: StreamCheckerOptions): StreamChecker {
  const limits = { ...defaultStreamLimits, ...options.limits };
  const framer = createEventFramer({
    maxLineBytes: limits.maxLineBytes,
    onTooLong: (offset) => stopAtLimit(checker, "line-too-long", offset),
    onViolation: (code, position) => reportViolation(checker, code, position),
    onObservation: (code, position) => reportObservation(checker, code, position),
    onFrame: (frame) => handleFrame(checker, frame),
    onPart(part, name) {
      if (checker.doneEndOffset === -1) {
        (selectReader(checker, name) ?? checker.arrayParser).grow(part);
      }
    },
    onBlockEnd: (block) => handleBlockEnd(checker, block),
  });
  const checker: Checker = {
    options,
    limits,
    framer,
    arrayParser: createIncrementalArray(minPieceBytes),
    reportedDetails: new Map(),
    doneEndOffset: -1,
    isAfterDoneReported: false,
    invalidJsonPosition: undefined,
  };
  return {
    push: (chunk, atMicros) => framer.push(chunk, atMicros),
    end: () => endStream(checker),
    get isDone() {
      return checker.doneEndOffset !== -1;
    },
  };
}

function stopAtLimit(checker: Checker, code: GrammarLimitCode, offset: number): void {
  checker.framer.stop();
  const limitBytes = checker.limits.maxLineBytes;
  const { title } = grammarLimits[code];
  checker.options.onFinding({
    kind: "limit",
    code,
    title,
    limitBytes,
    offset,
    length: 0,
    event: checker.framer.eventIndex,
  });
}

function reportViolation(checker: Checker, code: GrammarViolationCode, position: ViolationPosition): void {
  if (checker.doneEndOffset !== -1 && code !== "second-done") {
    reportBytesAfterDone(checker);
    return;
  }
  const { title, standardClient } = grammarViolations[code];
  const event = checker.framer.eventIndex;
  checker.options.onFinding({
    kind: "violation",
    code,
    title,
    standardClient,
    event,
    ...position,
  });
}

/** Reports all bytes after `done` as a single violation, regardless of their content. */
function reportBytesAfterDone(checker: Checker): void {
  if (!checker.isAfterDoneReported) {
    checker.isAfterDoneReported = true;
    const { title, standardClient } = grammarViolations["bytes-after-done"];
    const position = { event: checker.framer.eventIndex, offset: checker.doneEndOffset, length: 1 };
    checker.options.onFinding({ kind: "violation", code: "bytes-after-done", title, standardClient, ...position });
  }
}

function reportObservation(checker: Checker, code: GrammarObservationCode, position: FindingPosition): void {
  const detail = position.detail ?? "";
  const details = checker.reportedDetails.get(code) ?? new Set();
  if (checker.doneEndOffset !== -1 || details.has(detail) || details.size >= checker.limits.maxObservationDetails) {
    return;
  }
  checker.reportedDetails.set(code, details.add(detail));
  const { title, behaviour } = grammarObservations[code];
  checker.options.onFinding({ kind: "note", code, title, behaviour, event: checker.framer.eventIndex, ...position });
}

function handleFrame(checker: Checker, frame: Frame): boolean {
  if (checker.doneEndOffset !== -1) {
    if (frame.name !== "done") {
      reportBytesAfterDone(checker);
    }
    return false;
  }
  const value = selectReader(checker, frame.name)?.finish(frame) ?? parseData(checker, frame);
  if (value === tooDeep) {
    stopAtLimit(checker, "json-too-deep", frame.dataOffset);
    return false;
  }
  if (value === notJson) {
    handleInvalidJson(checker, frame);
    return false;
  }
  if (frame.name === "done" && !isEmptyObject(value)) {
    reportViolation(checker, "done-not-empty", { offset: frame.dataOffset, length: frame.end - frame.start });
  }
  deliverEvent(checker, frame, { parsed: true, value });
  return true;
}

const selectReader = ({ options }: Checker, name: string): DataReader<object> | undefined =>
  name === "matches" ? options.matchReader : undefined;

function parseData({ arrayParser }: Checker, frame: Frame): unknown {
  if (nestsTooDeep(frame)) {
    return tooDeep;
  }
  // Decoding ASCII as Latin-1 gives the same text and is fastest.
  const { buffer, start, end, mayHoldNonAscii } = frame;
  return arrayParser.finish(frame) ?? parseJson(buffer.toString(mayHoldNonAscii ? "utf8" : "latin1", start, end));
}

function handleInvalidJson(checker: Checker, frame: Frame): void {
  const { buffer, start, end, dataOffset, isCutOff } = frame;
  if (isCutOff) {
    return;
  }
  const errorOffset = findJsonError(buffer.subarray(start, end));
  if (errorOffset === undefined) {
    stopAtLimit(checker, "json-too-deep", dataOffset);
    return;
  }
  checker.invalidJsonPosition = { offset: dataOffset + errorOffset, length: errorOffset < end - start ? 1 : 0 };
  deliverEvent(checker, frame, { parsed: false, value: undefined });
}

function deliverEvent(checker: Checker, frame: Frame, data: Pick<StreamEvent, "parsed" | "value">): void {
  const { name, index, offset, dataOffset, atMicros, start, end } = frame;
  const { parsed, value } = data;
  checker.options.onEvent?.({ name, index, offset, dataOffset, dataBytes: end - start, atMicros, parsed, value });
}

const notJson = Symbol("not JSON");
const tooDeep = Symbol("nested too deep");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine may reject valid JSON. Assay's own scanner decides whether it is valid, and where the error is.
    return notJson;
  }
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function handleBlockEnd(checker: Checker, block: EndedBlock): void {
  const { invalidJsonPosition: position } = checker;
  checker.invalidJsonPosition = undefined;
  if (position !== undefined && !block.hasRepeatedData) {
    reportViolation(checker, "data-not-json", position);
  }
  if (block.name !== "done") {
    return;
  }
  if (checker.doneEndOffset === -1) {
    checker.doneEndOffset = block.endOffset;
  } else {
    reportViolation(checker, "second-done", { offset: block.offset, length: block.endOffset - block.offset });
  }
}

function endStream(checker: Checker): void {
  const { framer } = checker;
  if (framer.isStopped) {
    return;
  }
  framer.end();
  if (checker.doneEndOffset === -1) {
    reportViolation(checker, "no-done", { offset: framer.bytes, length: 0 });
  }
}
