import { HarnessError } from "@assay/contract";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Results of thousands of rules are smaller. */
const maxBytes = 64 * 1024 * 1024;

/** Returns the code of a system error. */
export const readErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "an unknown error";

/** Reads a regular file as text. Follows a link in the last part of the path, and does not block on pipes and devices. */
function readRegularFile(path: string, displayPath: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    throw new HarnessError(
      "usage",
      `${displayPath} cannot be read (${readErrorCode(cause)}); check the path and its permissions`,
      {
        cause,
      },
    );
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new HarnessError(
        "usage",
        `${displayPath} is not a regular file; pass a stored run, or its verdicts.json or load.json`,
      );
    }
    if (stats.size > maxBytes) {
      throw new HarnessError(
        "usage",
        `${displayPath} is ${stats.size} bytes, which exceeds the limit of ${maxBytes} for a stored result`,
      );
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a JSON file that may have been edited. `displayPath` is its path for messages. Throws a `HarnessError`. */
export function readJsonFile(path: string, displayPath: string): unknown {
  const text = readRegularFile(path, displayPath);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HarnessError(
      "usage",
      `${displayPath} is not JSON, or was cut off; pass a result that assay has written`,
      {
        cause,
      },
    );
  }
}
