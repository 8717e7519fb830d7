import type { HarnessError } from "@assay/contract";
import { fstatSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { toEvidenceError } from "@assay/evidence";

/** The standard output of a process, with its failures. */
export interface StandardOutput {
  readonly write: (text: string) => void;
  /** Returns why output was lost, such as a full disk, or undefined if none was lost or the reader is gone. */
  failure(): Promise<HarnessError | undefined>;
}

/** The members of a stream that are used here. */
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
 * Reports lost output: a file that is truncated because the disk is full would look like a result. A closed reader only ends the output.
 */
export function createStandardOutput(stream: Output): StandardOutput {
  let failure: HarnessError | undefined;
  const recordFailure = (error: unknown): void => {
    failure ??= isReaderGone(error) ? undefined : toEvidenceError(error, "write to standard output");
  };
  stream.on("error", recordFailure);
  // A file stream makes one system call and assumes that it wrote all bytes.
  const write = isFile(stream.fd)
    ? (text: string) => writeFileSync(stream.fd, text)
    : (text: string) => void stream.write(text);
  return {
    write(text) {
      try {
        write(text);
      } catch (error) {
        recordFailure(error);
      }
    },
    async failure() {
      // Stream errors arrive one turn after the write.
      await setImmediate();
      return failure;
    },
  };
}
