/** A text that keeps only its beginning and its end, however long it gets. */
export interface CapturedText {
  add(piece: Buffer): void;
  /** The beginning, as UTF-8; a character that is cut at its end is left out. */
  beginning(): string;
  /** The end, which may be the same. */
  end(): string;
}

const mostBeginningBytes = 256 * 1024;
const mostEndBytes = 4096;

/** Captures what a process writes: 256 KiB of its beginning and 4 KiB of its end. The rest is read and thrown away. */
export const captureText = (): CapturedText => {
  const first: Buffer[] = [];
  let firstBytes = 0;
  let last = Buffer.alloc(0);
  return {
    add: (piece) => {
      const room = mostBeginningBytes - firstBytes;
      if (room > 0) {
        first.push(piece.subarray(0, room));
        firstBytes += Math.min(room, piece.length);
      }
      last = Buffer.concat([last, piece.subarray(-mostEndBytes)]).subarray(-mostEndBytes);
    },
    // Not told that the text is over, so that no replacement stands for a character that was cut.
    beginning: () => new TextDecoder().decode(Buffer.concat(first), { stream: true }),
    end: () => last.toString(),
  };
};
