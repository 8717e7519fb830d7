import { Buffer } from "node:buffer";

/** Rewrites a text with one character per byte, without changing its length. */
export interface Rewrite {
  /** Changes only matches within these offsets. Matches that begin before or end after stay unchanged. */
  apply(text: string, range: { readonly from: number; readonly to: number }): string;
  /** Maximum length of a match, including the characters that must follow it. */
  readonly reachBytes: number;
}

/** Rewrites in order. A later match may contain an earlier replacement. */
export interface Rewrites {
  readonly first: readonly Rewrite[];
  readonly second: readonly Rewrite[];
}

const defaultStepBytes = 1024 * 1024;
/** Bytes before a match that affect it: a word boundary, a run of backslashes. */
const contextBytes = 256;

const findMaxReach = (rewrites: readonly Rewrite[]): number =>
  Math.max(0, ...rewrites.map(({ reachBytes }) => reachBytes));

/** Reads and changes bytes in pieces as if they were one. A piece is copied before its first change. */
class PieceEditor {
  readonly pieces: Uint8Array[];
  readonly length: number;
  readonly #original: readonly Uint8Array[];
  /** First piece of the last window, and the offset of its first byte. Windows only move forward. */
  #piece = 0;
  #pieceAt = 0;

  constructor(input: readonly Uint8Array[]) {
    this.#original = input;
    this.pieces = [...input];
    this.length = input.reduce((sum, { length }) => sum + length, 0);
  }

  get isChanged(): boolean {
    return this.pieces.some((piece, index) => piece !== this.#original[index]);
  }

  #moveTo(from: number): void {
    for (let piece = this.pieces[this.#piece]; piece !== undefined; piece = this.pieces[this.#piece]) {
      if (this.#pieceAt + piece.length > from) {
        return;
      }
      this.#pieceAt += piece.length;
      this.#piece++;
    }
  }

  /** Calls `use` with each part of a piece inside the window. */
  #visitParts(from: number, to: number, use: (part: Uint8Array, index: number, offset: number) => void): void {
    this.#moveTo(from);
    let at = this.#pieceAt;
    for (let index = this.#piece; at < to; index++) {
      const piece = this.pieces[index] ?? new Uint8Array(0);
      const start = Math.max(0, from - at);
      use(piece.subarray(start, to - at), index, start);
      at += piece.length;
    }
  }

  /** The bytes of a window, one character each. */
  read(from: number, to: number): string {
    const parts: Uint8Array[] = [];
    this.#visitParts(from, to, (part) => parts.push(part));
    const [first = new Uint8Array(0)] = parts;
    const joined =
      parts.length === 1 ? Buffer.from(first.buffer, first.byteOffset, first.byteLength) : Buffer.concat(parts);
    return joined.toString("latin1");
  }

  write(from: number, text: string): void {
    const bytes = Buffer.from(text, "latin1");
    let at = 0;
    this.#visitParts(from, from + bytes.length, (part, index, offset) => {
      const newBytes = bytes.subarray(at, (at += part.length));
      if (!newBytes.equals(part)) {
        const piece = this.pieces[index] ?? part;
        const copy = piece === this.#original[index] ? Uint8Array.from(piece) : piece;
        copy.set(newBytes, offset);
        this.pieces[index] = copy;
      }
    });
  }
}

/**
 * Rewrites bytes in pieces, window by window, so that little more than the changed pieces is copied. Returns the input if
 * nothing changed. Windows overlap, so that a match at the end of one is complete in the next. `stepBytes` is the distance
 * between windows. Default: 1 MiB.
 */
export function redactPieces(
  input: readonly Uint8Array[],
  { first, second }: Rewrites,
  stepBytes = defaultStepBytes,
): readonly Uint8Array[] {
  const editor = new PieceEditor(input);
  const firstReach = findMaxReach(first);
  const overlap = contextBytes + 2 * (firstReach + findMaxReach(second)) + 2;
  for (let from = 0; ; from += stepBytes) {
    const end = Math.min(editor.length, from + stepBytes + overlap);
    const isLast = end === editor.length;
    const before = editor.read(from, end);
    const start = from === 0 ? 0 : contextBytes;
    // A match at the edge may continue after it, and a match of a later rewrite may contain the replacement of an earlier
    // one.
    const firstEnd = isLast ? before.length : before.length - 1;
    const secondEnd = isLast ? before.length : before.length - 1 - firstReach;
    const afterFirst = first.reduce((text, rewrite) => rewrite.apply(text, { from: start, to: firstEnd }), before);
    const afterSecond = second.reduce(
      (text, rewrite) => rewrite.apply(text, { from: start, to: secondEnd }),
      afterFirst,
    );
    if (afterSecond !== before) {
      editor.write(from, afterSecond);
    }
    if (isLast) {
      return editor.isChanged ? editor.pieces : input;
    }
  }
}
