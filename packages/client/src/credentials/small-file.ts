import { readFile, stat } from "node:fs/promises";
import { readPipe } from "./read-pipe.ts";

/** Most time that a pipe may take. */
const maxPipeMs = 10_000;

/** What is read, and how it is refused. */
export interface SmallFile {
  readonly path: string;
  readonly maxBytes: number;
  /** An error that says of the file what this clause says, such as "is a folder", and what to do. */
  readonly refuse: (clause: string) => Error;
}

/**
 * What a file or a named pipe holds, as a shell gives one for the output of a command. Fails as `refuse` says for a folder, a
 * device, which has no end, for more than `maxBytes`, and for a pipe that nobody writes to; with a code of the disk for a file
 * that cannot be read.
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
