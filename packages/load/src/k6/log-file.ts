import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createLineSplitter } from "../samples/split-lines.ts";
import { parseErrorMessage } from "./k6-log-message.ts";

/** The log of a k6 process. */
export interface LogFile {
  /** Adds an output stream. Writes whole lines, so that lines of different streams do not mix. */
  readonly attach: (stream: NodeJS.ReadableStream) => void;
  /** Closes the file. Returns the reason if it is incomplete. */
  readonly close: () => Promise<string | undefined>;
  /** k6's last error, redacted, on one line. */
  readonly lastError: () => string | undefined;
}

export interface LogFileOptions {
  readonly path: string;
  readonly redact: (text: string) => string;
  /** 1 MiB by default. */
  readonly maxBytes?: number;
}

const defaultMaxBytes = 1_048_576;
const maxLineLength = 16_384;

/**
 * Creates a log file. Redacts whole lines, because a secret may span two chunks. Drops lines longer than 16 KiB for the
 * same reason, and everything beyond `maxBytes`. Never fails: `close` reports a full disk.
 */
export const createLogFile = ({ path, redact, maxBytes = defaultMaxBytes }: LogFileOptions): LogFile => {
  const file = createWriteStream(path, { mode: 0o600 });
  let failure: string | undefined;
  file.on("error", (cause) => {
    failure ??= `the log of k6 could not be written (${"code" in cause ? String(cause.code) : "unknown"})`;
  });
  let writtenBytes = 0;
  let isFull = false;
  let lastError: string | undefined;
  const write = (line: string): void => {
    const text = `${line}\n`;
    const size = Buffer.byteLength(text);
    if (isFull || failure !== undefined) {
      return;
    }
    isFull = writtenBytes + size > maxBytes;
    writtenBytes += size;
    file.write(isFull ? "(the rest of the log was dropped)\n" : text);
  };
  const onLine = (line: string): void => {
    const redactedLine = redact(line);
    lastError = parseErrorMessage(redactedLine) ?? lastError;
    write(redactedLine);
  };
  const onLongLine = (): void => {
    write(`(a line longer than ${maxLineLength} characters was dropped)`);
  };
  return {
    attach: (stream) => {
      const splitter = createLineSplitter(maxLineLength, { onLine, onLongLine });
      stream.on("data", (chunk: Uint8Array) => {
        splitter.push(chunk);
      });
      stream.once("end", () => {
        if (splitter.end()) {
          splitter.push(Buffer.from("\n"));
        }
      });
    },
    close: async () => {
      file.end();
      await finished(file).catch(() => undefined);
      return failure;
    },
    lastError: () => lastError,
  };
};
