import writeFileAtomic from "write-file-atomic";
import { toEvidenceError } from "./evidence-error.ts";

/** Writes a file whole or not at all: to a temporary name, synced, renamed; readable by its owner alone. Fails with a code of the disk. */
export async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(path, text, { mode: 0o600 });
  } catch (cause) {
    throw toEvidenceError(cause, `write ${path}`);
  }
}
