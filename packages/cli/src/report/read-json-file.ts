import { HarnessError } from "@assay/contract";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Maximum size; results of thousands of rules take less. */
const maxBytes = 64 * 1024 * 1024;

/** The code of a system error. */
export const readErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "an unknown error";

/** The text of a regular file. Follows a link in the last part of the path, and does not wait for pipes and devices. */
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
        `${displayPath} is not a regular file; name a stored run, or its verdicts.json or load.json`,
      );
    }
    if (stats.size > maxBytes) {
      throw new HarnessError(
        "usage",
        `${displayPath} has ${stats.size} bytes; of a stored result at most ${maxBytes} are read`,
      );
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** The JSON of a file that may have been edited. `shown` is its path for messages. Fails with a `HarnessError`. */
export function readJsonFile(path: string, displayPath: string): unknown {
  const text = readRegularFile(path, displayPath);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HarnessError(
      "usage",
      `${displayPath} is not JSON, or was cut off; name a result that assay has written`,
      {
        cause,
      },
    );
  }
}
