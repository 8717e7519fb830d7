import { Buffer } from "node:buffer";
import { eventNames } from "@assay/contract";
import type { GrammarObservationCode, GrammarViolationCode, StandardClientView } from "@assay/contract";
import type { DataPart } from "./incremental-array.ts";
import type { Line } from "./line-splitter.ts";

/** The location of a finding: offset in the stream and number of bytes. */
export interface FindingPosition {
  readonly offset: number;
  readonly length: number;
  /** Text sent by the target, truncated. Escape it before showing. */
  readonly detail?: string;
}

/** The location of a violation. `standardClient` overrides the usual effect on standard clients. */
export type ViolationPosition = FindingPosition & { readonly standardClient?: StandardClientView };

/** An event with both fields. The buffer is only valid during the call. */
export interface Frame extends DataPart {
  readonly name: string;
  readonly index: number;
  /** Offset of the first byte of the event. */
  readonly offset: number;
  /** Offset of the first byte of the data value in the stream. */
  readonly dataOffset: number;
  /** Time of the chunk that completed the data line. */
  readonly atMicros: number;
  /** Whether the end of the stream truncated the data line. */
  readonly isCutOff: boolean;
}

/** A block with at least one of the two fields. */
export interface EndedBlock {
  readonly name: string | undefined;
  readonly hasRepeatedData: boolean;
  /** Offset of its first byte. `endOffset` is the offset after its last one. */
  readonly offset: number;
  readonly endOffset: number;
}

export interface BlockEvents {
  onViolation(code: GrammarViolationCode, position: ViolationPosition): void;
  onObservation(code: GrammarObservationCode, position: FindingPosition): void;
  /** Returns `true` if the data is JSON. A handler that does not read the data returns nothing. */
  onFrame(frame: Frame): unknown;
  /** Called while the data of a named event arrives. The next frame contains all of it. */
  onPart?(part: DataPart, name: string): void;
  /** Called after the last finding of the block. */
  onBlockEnd(block: EndedBlock): void;
}

/** State of the event being read. */
export interface Block {
  readonly events: BlockEvents;
  /** Index of the event being read, or of the next one. */
  index: number;
  /** Offset of the first line of the block, or -1 between blocks. */
  offset: number;
  name: string | undefined;
  hasData: boolean;
  hasRepeatedData: boolean;
  isDataFirst: boolean;
  /** Data that arrived before the event name. */
  heldData: Omit<Frame, "name"> | undefined;
  /** Whether the first data line is JSON. */
  isJson: boolean;
  /** Set for a last line without a line feed. */
  isCutOff: boolean;
}

const SPACE = 32;
const COLON = 58;
const maxExcerptBytes = 100;
const eventField = Buffer.from("event:");
const dataField = Buffer.from("data:");
const encodedNames = eventNames.map((name) => ({ name, bytes: Buffer.from(name) }));

export function createBlock(events: BlockEvents): Block {
  return {
    events,
    index: 0,
    offset: -1,
    name: undefined,
    hasData: false,
    hasRepeatedData: false,
    isDataFirst: false,
    heldData: undefined,
    isJson: false,
    isCutOff: false,
  };
}

/** Handles a line without its line feed and carriage returns. */
export function handleLine(block: Block, line: Line): void {
  const { buffer, start, end, offset } = line;
  if (start === end) {
    // Without a line feed it is not a blank line: it contained only a carriage return or a byte order mark.
    if (!block.isCutOff) {
      handleBlankLine(block, offset);
    }
    return;
  }
  if (startsWith(line, dataField)) {
    handleData(block, line);
  } else if (startsWith(line, eventField)) {
    handleName(block, line);
  } else if (!block.isCutOff) {
    // A truncated line may be the start of any field.
    block.offset = block.offset === -1 ? offset : block.offset;
    const [code, detail] = classifyLine(buffer, start, end);
    // Standard clients read a bare field name as that field with an empty value.
    const isField = code === "not-a-field" && (detail === "event" || detail === "data");
    const effect = isField ? ({ standardClient: "other-events" } as const) : {};
    block.events.onViolation(code, { offset, length: end - start, detail, ...effect });
  }
}

/** Reports whether the block has both fields. */
export const hasBothFields = ({ name, hasData }: Block): boolean => name !== undefined && hasData;

/** Reports whether a block whose last line has no line feed is complete. */
export const isComplete = (block: Block): boolean =>
  hasBothFields(block) && block.isJson && (!block.isDataFirst || encodedNames.some(({ name }) => name === block.name));

/** Handles the part of a line that has arrived. */
export function handlePart({ events, name, hasData }: Block, line: Line): void {
  if (name === undefined || hasData || !startsWith(line, dataField)) {
    return;
  }
  const { buffer, start, end, mayHoldNonAscii } = line;
  const valueIndex = start + dataField.length;
  events.onPart?.(
    { buffer, start: buffer[valueIndex] === SPACE ? valueIndex + 1 : valueIndex, end, mayHoldNonAscii },
    name,
  );
}

/** Ends the open block, like a blank line. */
export function endBlock(block: Block, endOffset: number): void {
  const { name, hasData, hasRepeatedData, offset, events, isCutOff } = block;
  const isEvent = name !== undefined || hasData;
  if (isEvent && name === undefined && !isCutOff) {
    events.onViolation("missing-event", { offset, length: 0 });
  }
  if (isEvent && !hasData && !isCutOff) {
    events.onViolation("missing-data", { offset, length: 0 });
  }
  block.offset = -1;
  block.name = undefined;
  block.hasData = false;
  block.hasRepeatedData = false;
  block.isDataFirst = false;
  block.heldData = undefined;
  block.isJson = false;
  if (isEvent) {
    events.onBlockEnd({ name, hasRepeatedData, offset, endOffset });
    block.index += 1;
  }
}

function handleBlankLine(block: Block, offset: number): void {
  if (block.offset === -1) {
    block.events.onViolation("extra-blank-line", { offset, length: 1 });
  } else {
    endBlock(block, offset + 1);
  }
}

/** Reports whether a blank line is missing: a block with both fields repeats its first field. */
function startsNextEvent(block: Block, field: "event" | "data"): boolean {
  return block.name !== undefined && block.hasData && block.isDataFirst === (field === "data");
}

function openBlock(block: Block, line: Line, field: "event" | "data"): void {
  if (startsNextEvent(block, field)) {
    block.events.onViolation("missing-blank-line", { offset: line.offset, length: 0 });
    endBlock(block, line.offset);
  }
  if (block.offset === -1) {
    block.offset = line.offset;
  }
}

function handleName(block: Block, line: Line): void {
  openBlock(block, line, "event");
  if (block.name !== undefined) {
    block.events.onViolation("repeated-event", { offset: line.offset, length: line.end - line.start });
    return;
  }
  const value = findValueStart(block, line, eventField.length);
  block.name = readName(block, line, value);
  if (block.heldData !== undefined) {
    block.events.onObservation("field-order", { offset: block.offset, length: 0 });
    const { heldData } = block;
    block.heldData = undefined;
    block.isJson = block.events.onFrame({ ...heldData, name: block.name }) === true;
  }
}

function handleData(block: Block, line: Line): void {
  openBlock(block, line, "data");
  if (block.hasData) {
    block.hasRepeatedData = true;
    block.events.onViolation("repeated-data", { offset: line.offset, length: line.end - line.start });
    return;
  }
  block.hasData = true;
  const start = findValueStart(block, line, dataField.length);
  const { buffer, end, atMicros, mayHoldNonAscii } = line;
  const dataOffset = line.offset + (start - line.start);
  const { index, offset, isCutOff, name } = block;
  if (name === undefined) {
    block.isDataFirst = true;
    const copy = Buffer.from(buffer.subarray(start, end));
    block.heldData = {
      index,
      offset,
      buffer: copy,
      start: 0,
      end: copy.length,
      dataOffset,
      atMicros,
      mayHoldNonAscii,
      isCutOff,
    };
    return;
  }
  const frame = { name, index, offset, buffer, start, end, dataOffset, atMicros, mayHoldNonAscii, isCutOff };
  block.isJson = block.events.onFrame(frame) === true;
}

function findValueStart(block: Block, line: Line, fieldBytes: number): number {
  const index = line.start + fieldBytes;
  if (index < line.end && line.buffer[index] === SPACE) {
    return index + 1;
  }
  block.events.onObservation("no-space-after-colon", { offset: line.offset + fieldBytes - 1, length: 1 });
  return index;
}

function readName(block: Block, line: Line, start: number): string {
  const { buffer, end } = line;
  for (const { name, bytes } of encodedNames) {
    if (end - start === bytes.length && startsWith({ buffer, start, end }, bytes)) {
      return name;
    }
  }
  if (start === end) {
    // The missing rest of a truncated line may have contained the name.
    if (!block.isCutOff) {
      block.events.onViolation("empty-event-name", { offset: line.offset, length: end - line.start });
    }
    return "";
  }
  const name = readExcerpt(buffer, start, end);
  block.events.onObservation("unlisted-event-name", {
    offset: line.offset + (start - line.start),
    length: end - start,
    detail: name,
  });
  return name;
}

function classifyLine(buffer: Buffer, start: number, end: number): readonly [GrammarViolationCode, string] {
  const view = buffer.subarray(start, Math.min(end, start + maxExcerptBytes));
  const colon = view.indexOf(COLON);
  const field = readExcerpt(buffer, start, colon === -1 ? end : start + colon);
  if (colon === 0) {
    return ["comment", readExcerpt(buffer, start, end)];
  }
  if (colon === -1) {
    // The excerpt of a long line may end before its colon.
    return [buffer.subarray(start, end).includes(COLON) ? "third-field" : "not-a-field", field];
  }
  return [field === "id" ? "id-field" : field === "retry" ? "retry-field" : "third-field", field];
}

function readExcerpt(buffer: Buffer, start: number, end: number): string {
  return buffer.toString("utf8", start, Math.min(end, start + maxExcerptBytes));
}

function startsWith({ buffer, start, end }: Pick<Line, "buffer" | "start" | "end">, literal: Buffer): boolean {
  if (end - start < literal.length) {
    return false;
  }
  for (let index = 0; index < literal.length; index += 1) {
    if (buffer[start + index] !== literal[index]) {
      return false;
    }
  }
  return true;
}
