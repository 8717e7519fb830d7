import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createLineSplitter } from "../samples/split-lines.ts";
import { errorMessageOf } from "./k6-log-message.ts";

/** The log of a k6 process while it is written. */
export interface LogFile {
  /** Takes one of its output streams; lines of several are kept whole. */
  readonly take: (stream: NodeJS.ReadableStream) => void;
  /** Ends the file. Says why it is not complete, if it is not. */
  readonly close: () => Promise<string | undefined>;
  /** The last error that k6 reported, without secrets, on one line. */
  readonly lastError: () => string | undefined;
}

/** How a log is written. */
export interface LogFileOptions {
  readonly path: string;
  readonly redact: (text: string) => string;
  /** 1 MiB by default. */
  readonly maxBytes?: number;
}

const usualMaxBytes = 1_048_576;
const maxLine = 16_384;

/**
 * Starts a log. Every line passes through `redact` as a whole before it is stored, so no secret can hide between two chunks; lines
 * longer than 16 KiB are left out for the same reason. Beyond `maxBytes` nothing more is stored. Never fails: a disk that is full
 * shows in what `close` says.
 */
export const createLogFile = ({ path, redact, maxBytes = usualMaxBytes }: LogFileOptions): LogFile => {
  const file = createWriteStream(path, { mode: 0o600 });
  let failure: string | undefined;
  file.on("error", (cause) => {
    failure ??= `the log of k6 could not be written (${"code" in cause ? String(cause.code) : "unknown"})`;
  });
  let written = 0;
  let isFull = false;
  let lastError: string | undefined;
  const write = (line: string): void => {
    const text = `${line}\n`;
    const size = Buffer.byteLength(text);
    if (isFull || failure !== undefined) {
      return;
    }
    isFull = written + size > maxBytes;
    written += size;
    file.write(isFull ? "(the log goes on; the rest is not kept)\n" : text);
  };
  const onLine = (line: string): void => {
    const clean = redact(line);
    lastError = errorMessageOf(clean) ?? lastError;
    write(clean);
  };
  const onLongLine = (): void => {
    write(`(a line longer than ${maxLine} characters was left out)`);
  };
  return {
    take: (stream) => {
      const splitter = createLineSplitter(maxLine, { onLine, onLongLine });
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
