import { Buffer } from "node:buffer";

/** Notices that a body has come to its last bytes and nothing follows. */
export interface Linger {
  /** Bytes of the body, decoded, in order. */
  seen(bytes: Uint8Array): void;
  /** Whether the bytes so far end with the marker, so that nothing more is due. */
  readonly isWaiting: boolean;
  stop(): void;
}

export interface LingerOptions {
  readonly marker: Uint8Array;
  readonly lingerMs: number;
  /** Called when nothing came for `lingerMs` after the marker; again only after more bytes. */
  readonly onQuiet: () => void;
}

/** Watches for a marker at the end of what has arrived so far; a marker that more bytes follow means nothing. */
export function createLinger({ marker, lingerMs, onQuiet }: LingerOptions): Linger {
  let tail: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    seen(bytes) {
      if (bytes.length === 0) {
        return;
      }
      stop();
      tail = Buffer.concat([tail, bytes.subarray(-marker.length)]).subarray(-marker.length);
      if (tail.equals(marker)) {
        timer = setTimeout(onQuiet, lingerMs);
      }
    },
    get isWaiting() {
      return timer !== undefined;
    },
    stop,
  };
}
