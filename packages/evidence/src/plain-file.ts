import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";

const pieceBytes = 1024 * 1024;

/** A regular file that is open for reading. */
export interface PlainFile {
  readonly bytes: number;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Uint8Array;
}

function readFully(descriptor: number, offset: number, length: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, buffer, filled, length - filled, offset + filled);
    if (count === 0) {
      break;
    }
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** Opens without following a link and without waiting for a named pipe; the descriptor, or undefined. */
function openPlain(path: string): number | undefined {
  if (!(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) {
    return undefined;
  }
  // Windows knows neither flag.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return openSync(path, flags);
}

/**
 * Uses a file of a bundle that somebody may have sent: symbolic links, folders and devices are not opened. Undefined when
 * there is no such regular file; errors of the system while reading pass through.
 */
export function withPlainFile<T>(path: string, use: (file: PlainFile) => T): T | undefined {
  const descriptor = openPlain(path);
  if (descriptor === undefined) {
    return undefined;
  }
  try {
    const status = fstatSync(descriptor);
    const read = (offset: number, length: number): Uint8Array =>
      readFully(descriptor, offset, Math.max(0, Math.min(length, status.size - offset)));
    return status.isFile() ? use({ bytes: status.size, read }) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** SHA-256 of a file in lower-case hex, read in pieces. */
export function digestOf(file: PlainFile): string {
  const digest = createHash("sha256");
  for (let at = 0; at < file.bytes; at += pieceBytes) {
    digest.update(file.read(at, pieceBytes));
  }
  return digest.digest("hex");
}

export const isPlainFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
