import { readFile, stat } from "node:fs/promises";
import { readPipe } from "./read-pipe.ts";

/** Time limit for reading a pipe. */
const maxPipeMs = 10_000;

/** A file to read, and the error to throw for it. */
export interface SmallFile {
  readonly path: string;
  readonly maxBytes: number;
  /** Creates the error from a clause about the file, such as "is a folder". Appends what to do. */
  readonly reject: (clause: string) => Error;
}

/**
 * Returns the contents of a file or a named pipe, such as a shell's process substitution. Throws the error of `reject` for a folder, a
 * device (which has no end), a file over `maxBytes`, and a pipe without a writer. Throws a system error if the file cannot be read.
 */
export async function readSmallFile({ path, maxBytes, reject }: SmallFile): Promise<string> {
  const stats = await stat(path);
  if (stats.isFIFO()) {
    const pipeText = await readPipe(path, { maxBytes, timeoutMs: maxPipeMs });
    if (pipeText === "too-late") {
      throw reject("is a pipe without a writer");
    }
    if (pipeText === "too-large") {
      throw reject(`is larger than ${maxBytes} bytes`);
    }
    return pipeText.text;
  }
  if (!stats.isFile()) {
    throw reject(`is a ${stats.isDirectory() ? "folder" : "device"}`);
  }
  if (stats.size > maxBytes) {
    throw reject(`is larger than ${maxBytes} bytes`);
  }
  return readFile(path, "utf8");
}
