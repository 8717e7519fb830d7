/** A text of any length that keeps only its beginning and its end, with secrets replaced. */
export interface CapturedText {
  add(piece: Buffer): void;
  /** The beginning, as UTF-8. */
  beginning(): string;
  /** The end; may overlap the beginning. */
  end(): string;
  /** The end of the part after the beginning; empty if the beginning is everything. */
  rest(): string;
}

const maxBeginningBytes = 256 * 1024;
const maxEndBytes = 4096;
/** A client that prints the stream has some events after the last match. */
const maxRestBytes = 64 * 1024;

/** Position of the cut: `at`, or the start of a secret that it would split. */
const cutAt = (bytes: Buffer, at: number, secrets: readonly string[]): number =>
  Math.min(
    at,
    ...secrets.map((secret) => {
      const found = bytes.indexOf(secret, Math.max(0, at - secret.length + 1));
      return found === -1 ? at : found;
    }),
  );

/** Whether a byte continues a UTF-8 character. */
const isContinuationByte = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** Drops the rest of a character that the cut has split. */
const fromWholeCharacter = (bytes: Buffer): Buffer => {
  const at = bytes.findIndex((byte) => !isContinuationByte(byte));
  return bytes.subarray(Math.max(0, at));
};

/** Keeps the newest pieces of a text, at least `bytes` if there are as many. */
const keepNewest = (bytes: number): { add: (piece: Buffer) => void; kept: () => Buffer } => {
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
    kept: () => Buffer.concat(pieces),
  };
};

/**
 * Captures the output of a process: the first 256 KiB, the last 64 KiB after them, and the last 4 KiB. The rest is read and
 * discarded. No cut splits a character or a secret. Secrets are ASCII.
 */
export const captureText = (secrets: readonly string[] = []): CapturedText => {
  // Extra bytes, so that every secret is complete at a cut.
  const spareBytes = Math.max(0, ...secrets.map((secret) => secret.length));
  const first: Buffer[] = [];
  const newest = keepNewest(maxRestBytes + spareBytes);
  let bytes = 0;
  const shown = (part: Buffer): string =>
    secrets.reduce(
      (text, secret) => text.replaceAll(secret, "<token>"),
      // `stream` keeps the decoder from replacing a character that was cut.
      new TextDecoder().decode(part, { stream: true }),
    );
  const beginningBytes = (): Buffer => {
    const kept = Buffer.concat(first);
    return kept.subarray(0, cutAt(kept, Math.min(maxBeginningBytes, kept.length), secrets));
  };
  const lastBytes = (maxBytes: number): Buffer => {
    const kept = newest.kept();
    return maxBytes >= bytes ? kept : fromWholeCharacter(kept.subarray(cutAt(kept, kept.length - maxBytes, secrets)));
  };
  return {
    add: (piece) => {
      const room = maxBeginningBytes + spareBytes - bytes;
      if (room > 0) {
        first.push(piece.subarray(0, room));
      }
      newest.add(piece);
      bytes += piece.length;
    },
    beginning: () => shown(beginningBytes()),
    end: () => shown(lastBytes(maxEndBytes)),
    rest: () => shown(lastBytes(Math.min(maxRestBytes, bytes - beginningBytes().length))),
  };
};
