import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { ReadAttached } from "@assay/evidence";

interface AttachedLimits {
  /** Maximum size of a file, in bytes. */
  readonly file: number;
  /** Maximum size of all files of one recording together, in bytes. */
  readonly all: number;
}

const usualLimits: AttachedLimits = { file: 256 * 2 ** 20, all: 2 ** 30 };

/** Opening a named pipe does not wait for a writer, so that it can be refused. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads the bodies that a HAR file names as files, as Playwright writes them next to it. Reads only regular files in the folder of the HAR
 * file or below, after links are resolved.
 */
export function attachedFiles(harFile: string, limits = usualLimits): ReadAttached {
  const folder = realpathSync(dirname(harFile));
  let left = limits.all;
  return (name) => {
    if (name === "" || name.includes("\0") || isAbsolute(name)) {
      return { flaw: "is outside the folder of the HAR file and is not read" };
    }
    try {
      const path = realpathSync(join(folder, name));
      if (!isBelow(folder, path)) {
        return { flaw: "is outside the folder of the HAR file and is not read" };
      }
      const read = readOrdinary(path, Math.min(limits.file, left));
      left -= "flaw" in read ? 0 : read.length;
      return read;
    } catch {
      return { flaw: "cannot be read; put it next to the HAR file again" };
    }
  };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function readOrdinary(path: string, maxBytes: number): Uint8Array | { readonly flaw: string } {
  const file = openSync(path, openFlags);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) {
      return { flaw: "is no ordinary file" };
    }
    return found.size > maxBytes
      ? { flaw: `has ${found.size} bytes, more than the ${maxBytes} that are read` }
      : readFileSync(file);
  } finally {
    closeSync(file);
  }
}
