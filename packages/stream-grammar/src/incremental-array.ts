import { Buffer } from "node:buffer";

/** The part of an event's data that has arrived: `buffer[start, end)`. Only valid during the call. */
export interface DataPart {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly mayHoldNonAscii: boolean;
}

/** Reads the data of events while it arrives, so that little work remains after its last byte. */
export interface DataReader<Value> {
  /** Reads the part of the current value that has arrived. Each part contains the previous ones. */
  grow(part: DataPart): void;
  /** Returns the value, or `undefined` if the caller must parse all of it. The next call is about the next value. */
  finish(completeData: DataPart): Value | undefined;
}

/** The bytes between two objects, as servers write `matches`. */
const boundary = Buffer.from('},{"type":"');

/** Guesses where an array of objects that arrives in parts can be cut. */
export interface BoundaryFinder {
  /**
   * Returns the index in the buffer of the comma between the last two objects that have arrived. Returns undefined if
   * there is none, or if too few bytes are new. The guess is wrong if the comma is in a text or in an inner array.
   */
  find(part: DataPart): number | undefined;
  /** Prepares for the next value. */
  reset(): void;
}

/** Creates a finder that searches new bytes once there are `minPieceBytes` of them, each once. */
export function createBoundaryFinder(minPieceBytes: number): BoundaryFinder {
  let searchedBytes = 0;
  return {
    find({ buffer, start, end }) {
      if (end - start - searchedBytes < minPieceBytes) {
        return undefined;
      }
      const searchStart = start + searchedBytes;
      const boundaryIndex = buffer.subarray(searchStart, end).lastIndexOf(boundary);
      // The last bytes may be the start of a boundary.
      searchedBytes = Math.max(searchedBytes, end - start - boundary.length + 1);
      return boundaryIndex === -1 ? undefined : searchStart + boundaryIndex + 1;
    },
    reset() {
      searchedBytes = 0;
    },
  };
}

/** Parses a long array of objects. */
export type IncrementalArray = DataReader<readonly unknown[]>;

const COMMA = 44;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
interface ArrayState {
  readonly boundaries: BoundaryFinder;
  elements: unknown[];
  /** Bytes of the value that are parsed. A comma follows them. */
  parsedBytes: number;
  hasGivenUp: boolean;
}

/**
 * Creates the parser. A boundary is guessed from its bytes and verified by parsing: the bytes before it, closed with a bracket, are JSON
 * only if it separates two elements of the outermost array. A wrong guess stops the incremental parsing of that value. Work and memory are
 * linear in its bytes.
 */
export function createIncrementalArray(minPieceBytes: number): IncrementalArray {
  const boundaries = createBoundaryFinder(minPieceBytes);
  const state: ArrayState = { boundaries, elements: [], parsedBytes: 0, hasGivenUp: false };
  return {
    grow: (part) => grow(state, part),
    finish(completeData) {
      const value = state.parsedBytes === 0 || state.hasGivenUp ? undefined : finish(state, completeData);
      state.elements = [];
      state.parsedBytes = 0;
      boundaries.reset();
      state.hasGivenUp = false;
      return value;
    },
  };
}

function grow(state: ArrayState, part: DataPart): void {
  const { buffer, start } = part;
  const commaIndex = state.hasGivenUp ? undefined : state.boundaries.find(part);
  if (commaIndex === undefined) {
    return;
  }
  buffer[commaIndex] = CLOSING_BRACKET;
  const piece = { ...part, end: commaIndex + 1 };
  state.hasGivenUp = !(buffer[start] === OPENING_BRACKET && addPiece(state, readUnparsedText(state, piece)));
  buffer[commaIndex] = COMMA;
  state.parsedBytes = commaIndex - start;
}

function finish(state: ArrayState, completeData: DataPart): readonly unknown[] | undefined {
  return addPiece(state, readUnparsedText(state, completeData)) ? state.elements : undefined;
}

/**
 * Returns the text after the parsed bytes, with a bracket instead of the comma. The bracket is written into the buffer while decoding,
 * because appending it to the string would copy it and make non-ASCII input 10% slower.
 */
function readUnparsedText({ parsedBytes }: ArrayState, { buffer, start, end, mayHoldNonAscii }: DataPart): string {
  const openingIndex = start + parsedBytes;
  buffer[openingIndex] = OPENING_BRACKET;
  const text = buffer.toString(mayHoldNonAscii ? "utf8" : "latin1", openingIndex, end);
  buffer[openingIndex] = parsedBytes === 0 ? OPENING_BRACKET : COMMA;
  return text;
}

function addPiece({ elements }: ArrayState, json: string): boolean {
  const piece = parseJsonArray(json);
  if (piece === undefined) {
    return false;
  }
  for (const element of piece) {
    elements.push(element);
  }
  return true;
}

function parseJsonArray(json: string): readonly unknown[] | undefined {
  try {
    const piece: unknown = JSON.parse(json);
    return Array.isArray(piece) ? piece : undefined;
  } catch {
    // The caller parses and checks the whole value.
    return undefined;
  }
}
