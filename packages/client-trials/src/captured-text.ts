/** The beginning and end of a text of any length, with secrets replaced. */
export interface CapturedText {
  add(piece: Buffer): void;
  /** The beginning, as UTF-8. */
  beginning(): string;
  /** The end, which may overlap the beginning. */
  end(): string;
  /** The end of the part after the beginning. Empty if the beginning contains all of it. */
  remainder(): string;
}

const maxBeginningBytes = 256 * 1024;
const maxEndBytes = 4096;
/** A client that prints the stream prints several events after the last match. */
const maxRemainderBytes = 64 * 1024;

/** Returns the position of the cut: `position`, or the start of a secret that it would split. */
const findCut = (bytes: Buffer, position: number, secrets: readonly string[]): number =>
  Math.min(
    position,
    ...secrets.map((secret) => {
      const index = bytes.indexOf(secret, Math.max(0, position - secret.length + 1));
      return index === -1 ? position : index;
    }),
  );

/** Reports whether a byte continues a UTF-8 character. */
const isContinuationByte = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** Removes the rest of a character that the cut has split. */
const dropPartialCharacter = (bytes: Buffer): Buffer => {
  const start = bytes.findIndex((byte) => !isContinuationByte(byte));
  return bytes.subarray(Math.max(0, start));
};

/** Keeps the newest pieces of text, at least `bytes` if there are that many. */
const createTailBuffer = (bytes: number): { add: (piece: Buffer) => void; contents: () => Buffer } => {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    add: (piece) => {
      pieces.push(piece);
      size += piece.length;
      while (pieces[0] !== undefined && size - pieces[0].length >= bytes) {
        size -= pieces.shift()?.length ?? 0;
      }
    },
    contents: () => Buffer.concat(pieces),
  };
};

/**
 * Captures the output of a process: the first 256 KiB, the last 64 KiB after them, and the last 4 KiB. The rest is read and discarded. A
 * cut never splits a character or a secret. Secrets are ASCII.
 */
export const captureText = (secrets: readonly string[] = []): CapturedText => {
  // Extra bytes, so that every secret is complete at a cut.
  const spareBytes = Math.max(0, ...secrets.map((secret) => secret.length));
  const beginningPieces: Buffer[] = [];
  const tail = createTailBuffer(maxRemainderBytes + spareBytes);
  let totalBytes = 0;
  const redactPart = (part: Buffer): string =>
    secrets.reduce(
      (text, secret) => text.replaceAll(secret, "<token>"),
      // `stream` prevents the decoder from replacing a character that was cut.
      new TextDecoder().decode(part, { stream: true }),
    );
  const beginningBytes = (): Buffer => {
    const beginning = Buffer.concat(beginningPieces);
    return beginning.subarray(0, findCut(beginning, Math.min(maxBeginningBytes, beginning.length), secrets));
  };
  const lastBytes = (maxBytes: number): Buffer => {
    const newestBytes = tail.contents();
    return maxBytes >= totalBytes
      ? newestBytes
      : dropPartialCharacter(newestBytes.subarray(findCut(newestBytes, newestBytes.length - maxBytes, secrets)));
  };
  return {
    add: (piece) => {
      const remainingBytes = maxBeginningBytes + spareBytes - totalBytes;
      if (remainingBytes > 0) {
        beginningPieces.push(piece.subarray(0, remainingBytes));
      }
      tail.add(piece);
      totalBytes += piece.length;
    },
    beginning: () => redactPart(beginningBytes()),
    end: () => redactPart(lastBytes(maxEndBytes)),
    remainder: () => redactPart(lastBytes(Math.min(maxRemainderBytes, totalBytes - beginningBytes().length))),
  };
};
