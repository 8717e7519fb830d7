import { HarnessError } from "@assay/contract";
import { stat, writeFile } from "node:fs/promises";
import { toEvidenceError } from "../evidence-error.ts";

/** Rejects special files. Renaming would replace a pipe or a device that other programs use. */
async function rejectSpecialFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    throw new HarnessError("not-writable", `could not write ${path}: it is not a regular file; choose another path`);
  }
}

/**
 * Writes a file atomically: to a temporary name, synced, then renamed. Only the owner may read it unless `mode` is set. Throws a
 * `HarnessError` with a disk error code, or with `not-writable` if the path is a pipe or a device.
 */
export async function writeAtomically(path: string, text: string, mode = 0o600): Promise<void> {
  try {
    await rejectSpecialFile(path);
    // Loaded here, because most commands write no file.
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(path, "", {
      mode,
      // The library writes once and ignores partial writes, which happen on a full disk.
      tmpfileCreated: (temporary) => writeFile(temporary, text),
    });
  } catch (cause) {
    throw toEvidenceError(cause, `write ${path}`);
  }
}
