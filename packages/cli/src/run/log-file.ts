import { Buffer } from "node:buffer";
import { appendFileSync, constants, openSync, statSync, writeFileSync, writeSync } from "node:fs";

/** Writes one line. Throws with a disk error code. */
export type WriteLine = (line: string) => void;

/** Time limit for the reader of a pipe to accept one line. */
const lineTimeoutMs = 2000;
const pauseMs = 20;

/** Reports whether a path is a pipe, and false if it cannot be examined. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

const isPipeFull = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN";

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

/** Writes all bytes to a pipe whose reader may be slow. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  const deadlineMs = performance.now() + lineTimeoutMs;
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      if (!isPipeFull(error) || performance.now() > deadlineMs) {
        throw error;
      }
      pause();
    }
  }
}

/**
 * Keeps a pipe open until the process ends, because its reader treats the first close as the end. If it has no reader, the first line fails
 * instead of blocking forever.
 */
function createPipeWriter(path: string): WriteLine {
  let descriptor: number | undefined;
  return (line) => {
    descriptor ??= openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
    writeAll(descriptor, Buffer.from(line));
  };
}

/** Overwrites a file line by line. If the file is removed in the meantime, it is created again. */
export function createLineWriter(path: string): WriteLine {
  if (isPipe(path)) {
    return createPipeWriter(path);
  }
  let isNew = true;
  return (line) => {
    if (isNew) {
      writeFileSync(path, line, { mode: 0o600 });
    } else {
      appendFileSync(path, line, { mode: 0o600 });
    }
    isNew = false;
  };
}
