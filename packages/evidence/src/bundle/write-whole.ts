import { HarnessError } from "@assay/contract";
import { stat, writeFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { toEvidenceError } from "../evidence-error.ts";

/** A pipe or a device would be replaced by the file, and with it what others have of it. */
async function refuseSpecial(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw new HarnessError("not-writable", `could not write ${path}: it is no regular file; choose another path`);
  }
}

/**
 * Writes a file whole or not at all: to a temporary name, synced, renamed; readable by its owner alone unless another `mode` is given.
 * Fails with a code of the disk, `not-writable` where a pipe or a device has that name.
 */
export async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
  try {
    await refuseSpecial(path);
    await writeFileAtomic(path, "", {
      mode,
      // The library asks the system once and takes it at its word that all was written; on a disk that fills up only a part is.
      tmpfileCreated: (temporary) => writeFile(temporary, text),
    });
  } catch (cause) {
    throw toEvidenceError(cause, `write ${path}`);
  }
}
