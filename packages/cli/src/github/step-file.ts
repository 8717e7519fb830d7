import { closeSync, constants, fstatSync, openSync, statSync, writeFileSync } from "node:fs";

const { O_WRONLY, O_CREAT, O_APPEND } = constants;
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;

function append(path: string, text: string): string | undefined {
  // A pipe that nobody reads is not waited for.
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o666);
  try {
    if (fstatSync(descriptor).isFIFO()) {
      return "it is a pipe";
    }
    writeFileSync(descriptor, text);
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Why nothing could be appended, a clause; undefined when all went well. */
export function appendTo(path: string, text: string): string | undefined {
  try {
    return append(path, text);
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "it could not be written";
  }
}

/** Bytes of a file that is there; 0 where there is none. */
export function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // Whether it can be made shows when something is written.
    return 0;
  }
}
