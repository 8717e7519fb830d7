/** A text that keeps only its beginning and its end, however long it gets. Secrets are replaced in what it gives. */
export interface CapturedText {
  add(piece: Buffer): void;
  /** The beginning, as UTF-8. */
  beginning(): string;
  /** The end, which may be the same. */
  end(): string;
  /** The end of what follows the beginning; empty when the beginning is all there is. */
  rest(): string;
}

const maxBeginningBytes = 256 * 1024;
const maxEndBytes = 4096;
/** A stream that is written as it comes has some events after its last match. */
const maxRestBytes = 64 * 1024;

/** Where bytes are cut so that no secret is cut in two: at `at`, or before the secret that stands there. */
const cutAt = (bytes: Buffer, at: number, secrets: readonly string[]): number =>
  Math.min(
    at,
    ...secrets.map((secret) => {
      const found = bytes.indexOf(secret, Math.max(0, at - secret.length + 1));
      return found === -1 ? at : found;
    }),
  );

/** Whether a byte of UTF-8 is not the first one of its character. */
const isFurtherByte = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** Without the rest of a character that was cut at the beginning. */
const fromWholeCharacter = (bytes: Buffer): Buffer => {
  const at = bytes.findIndex((byte) => !isFurtherByte(byte));
  return bytes.subarray(Math.max(0, at));
};

/** The newest pieces of a text: at least `bytes`, where there are so many. */
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
 * Captures what a process writes: 256 KiB of its beginning, the last 64 KiB of what follows, and the last 4 KiB. Other bytes
 * are read and thrown away. Where it is cut, no part of a character or of a secret is left. Secrets are ASCII.
 */
export const captureText = (secrets: readonly string[] = []): CapturedText => {
  // So much more is kept that a secret is whole wherever it is cut.
  const spareBytes = Math.max(0, ...secrets.map((secret) => secret.length));
  const first: Buffer[] = [];
  const newest = keepNewest(maxRestBytes + spareBytes);
  let bytes = 0;
  const shown = (part: Buffer): string =>
    secrets.reduce(
      (text, secret) => text.replaceAll(secret, "<token>"),
      // Not told that the text is over, so that no replacement stands for a character that was cut.
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
