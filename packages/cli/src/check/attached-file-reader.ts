import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { ReadAttachment } from "@assay/evidence";

interface AttachedLimits {
  /** Maximum size of a file, in bytes. */
  readonly maxFileBytes: number;
  /** Maximum size of all files of one recording together, in bytes. */
  readonly maxTotalBytes: number;
}

const defaultLimits: AttachedLimits = { maxFileBytes: 256 * 2 ** 20, maxTotalBytes: 2 ** 30 };

/** Opens a named pipe without waiting for a writer, so that it can be rejected. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Returns a reader for bodies that a HAR file stores in separate files, as Playwright does. It reads only regular files in the folder of
 * the HAR file or its subfolders, after resolving links.
 */
export function createAttachedFileReader(harFile: string, limits = defaultLimits): ReadAttachment {
  const folder = realpathSync(dirname(harFile));
  let remainingBytes = limits.maxTotalBytes;
  return (name) => {
    if (name === "" || name.includes("\0") || isAbsolute(name)) {
      return { reason: "is outside the folder of the HAR file and is not read" };
    }
    try {
      const path = realpathSync(join(folder, name));
      if (!isInside(folder, path)) {
        return { reason: "is outside the folder of the HAR file and is not read" };
      }
      const result = readRegularFile(path, Math.min(limits.maxFileBytes, remainingBytes));
      remainingBytes -= "reason" in result ? 0 : result.length;
      return result;
    } catch {
      return { reason: "cannot be read; restore it next to the HAR file" };
    }
  };
}

function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath !== "" && relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
  );
}

function readRegularFile(path: string, maxBytes: number): Uint8Array | { readonly reason: string } {
  const descriptor = openSync(path, openFlags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      return { reason: "is not a regular file" };
    }
    return stats.size > maxBytes
      ? { reason: `is ${stats.size} bytes, which exceeds the limit of ${maxBytes}` }
      : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
