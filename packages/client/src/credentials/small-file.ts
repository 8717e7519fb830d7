import { readFile, stat } from "node:fs/promises";
import { readPipe } from "./read-pipe.ts";

/** Time limit of reading a pipe. */
const maxPipeMs = 10_000;

/** A file to read, and how to refuse it. */
export interface SmallFile {
  readonly path: string;
  readonly maxBytes: number;
  /** Creates the error from a clause about the file, such as "is a folder". Adds what to do. */
  readonly refuse: (clause: string) => Error;
}

/**
 * Contents of a file or a named pipe, such as a shell's process substitution. Throws the error of `refuse` for a folder, for
 * a device (which has no end), beyond `maxBytes`, and for a pipe without a writer. Throws a code of the disk if the file
 * cannot be read.
 */
export async function readSmallFile({ path, maxBytes, refuse }: SmallFile): Promise<string> {
  const status = await stat(path);
  if (status.isFIFO()) {
    const read = await readPipe(path, { maxBytes, timeoutMs: maxPipeMs });
    if (read === "too-late") {
      throw refuse("is a pipe that nobody writes to");
    }
    if (read === "too-large") {
      throw refuse(`is larger than ${maxBytes} bytes`);
    }
    return read.text;
  }
  if (!status.isFile()) {
    throw refuse(`is a ${status.isDirectory() ? "folder" : "device"}`);
  }
  if (status.size > maxBytes) {
    throw refuse(`is larger than ${maxBytes} bytes`);
  }
  return readFile(path, "utf8");
}
