import { Buffer } from "node:buffer";

/** What has arrived of the data of one event: `buffer[start, end)`, only valid during the call, and not shared. */
export interface DataPart {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly mayHoldNonAscii: boolean;
}

/** Parses a long array of objects while it arrives, so that little is left to do when its last byte comes. */
export interface ArrayAhead {
  /** Looks at what has arrived so far of one value; parts of the same value grow. */
  grow(part: DataPart): void;
  /**
   * The value, or `undefined` when it has to be parsed as a whole: nothing was parsed ahead, or what was does not fit.
   * Ready for the next value afterwards.
   */
  finish(whole: DataPart): readonly unknown[] | undefined;
}

const COMMA = 44;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
/** How one object ends and the next one begins in what servers write for `matches`. */
const boundary = Buffer.from('},{"type":"');

interface Ahead {
  readonly minPieceBytes: number;
  elements: unknown[];
  /** Bytes of the value that are parsed; a comma follows them. */
  parsedBytes: number;
  /** Bytes of the value that have been searched for a boundary. */
  searchedBytes: number;
  gaveUp: boolean;
}

/**
 * A boundary is guessed by its bytes and proven by parsing: what stands before it, closed with a bracket, is JSON only
 * if the guess was a boundary between two elements of the outermost array. A wrong guess ends the parsing ahead of that
 * value. Work and memory stay linear in its bytes.
 */
export function createArrayAhead(minPieceBytes: number): ArrayAhead {
  const ahead: Ahead = { minPieceBytes, elements: [], parsedBytes: 0, searchedBytes: 0, gaveUp: false };
  return {
    grow: (part) => grow(ahead, part),
    finish(whole) {
      const value = ahead.parsedBytes === 0 || ahead.gaveUp ? undefined : finish(ahead, whole);
      ahead.elements = [];
      ahead.parsedBytes = 0;
      ahead.searchedBytes = 0;
      ahead.gaveUp = false;
      return value;
    },
  };
}

function grow(ahead: Ahead, part: DataPart): void {
  const { buffer, start, end } = part;
  if (ahead.gaveUp || end - start - ahead.searchedBytes < ahead.minPieceBytes) {
    return;
  }
  const from = start + ahead.searchedBytes;
  const found = buffer.subarray(from, end).lastIndexOf(boundary);
  // A boundary may have arrived in part.
  ahead.searchedBytes = Math.max(ahead.searchedBytes, end - start - boundary.length + 1);
  if (found === -1) {
    return;
  }
  const comma = from + found + 1;
  buffer[comma] = CLOSING_BRACKET;
  const piece = { ...part, end: comma + 1 };
  ahead.gaveUp = !(buffer[start] === OPENING_BRACKET && takePiece(ahead, textBehind(ahead, piece)));
  buffer[comma] = COMMA;
  ahead.parsedBytes = comma - start;
}

function finish(ahead: Ahead, whole: DataPart): readonly unknown[] | undefined {
  return takePiece(ahead, textBehind(ahead, whole)) ? ahead.elements : undefined;
}

/**
 * What follows the parsed bytes, with a bracket in place of the comma. The bracket is written into the buffer while it
 * is decoded: to add it to the text would copy the text, which costs a tenth of the speed outside ASCII.
 */
function textBehind({ parsedBytes }: Ahead, { buffer, start, end, mayHoldNonAscii }: DataPart): string {
  const opening = start + parsedBytes;
  buffer[opening] = OPENING_BRACKET;
  const text = buffer.toString(mayHoldNonAscii ? "utf8" : "latin1", opening, end);
  buffer[opening] = parsedBytes === 0 ? OPENING_BRACKET : COMMA;
  return text;
}

function takePiece({ elements }: Ahead, json: string): boolean {
  const piece = parseArray(json);
  if (piece === undefined) {
    return false;
  }
  for (const element of piece) {
    elements.push(element);
  }
  return true;
}

function parseArray(json: string): readonly unknown[] | undefined {
  try {
    const piece: unknown = JSON.parse(json);
    return Array.isArray(piece) ? piece : undefined;
  } catch {
    // The whole is parsed once more when it has arrived, and judged then.
    return undefined;
  }
}
