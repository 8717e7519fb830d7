import type { HarnessError } from "@assay/contract";
import { fstatSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { toEvidenceError } from "@assay/evidence";

/** The standard output of a process, and what became of it. */
export interface StandardOutput {
  readonly write: (text: string) => void;
  /** Why something that was printed is lost, such as a full disk; undefined where all went well, or the reader went away. */
  failure(): Promise<HarnessError | undefined>;
}

/** What is asked of a stream. */
interface Output {
  readonly fd: number;
  write(text: string): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    // Standard output may be closed.
    return false;
  }
}

const isReaderGone = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EPIPE";

/**
 * Standard output that does not lose anything in silence: a file that is cut because the disk is full looks like a result. A
 * reader that went away ends the output, and nothing else.
 */
export function standardOutput(stream: Output): StandardOutput {
  let failure: HarnessError | undefined;
  const fail = (error: unknown): void => {
    failure ??= isReaderGone(error) ? undefined : toEvidenceError(error, "write to standard output");
  };
  stream.on("error", fail);
  // The stream of a file asks the system once and takes it at its word that all was written.
  const write = isFile(stream.fd)
    ? (text: string) => writeFileSync(stream.fd, text)
    : (text: string) => void stream.write(text);
  return {
    write(text) {
      try {
        write(text);
      } catch (error) {
        fail(error);
      }
    },
    async failure() {
      // Errors of a stream come a turn after the writing.
      await setImmediate();
      return failure;
    },
  };
}
