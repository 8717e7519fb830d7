import { HarnessError } from "@assay/contract";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { KnownFailureFile } from "@assay/evidence";
import { isShippedListName, nearestName, shippedKnownFailuresText, shippedListNames } from "@assay/runner";
import { repeatedText, valueFlag } from "./flag.ts";
import { rejectMistypedPath } from "./nearest-file.ts";

/** `--known-failures`, repeatable. */
export const knownFailuresFlag = valueFlag(
  "<FILE>",
  repeatedText,
  `list of known failures, repeatable; \`${shippedListNames.join(", ")}\` is a built-in list`,
);

const maxBytes = 1024 * 1024;

/** Suggests shipped lists as well as files. */
function rejectMistypedList(name: string, cwd: string): void {
  const suggestion =
    existsSync(resolve(cwd, name)) || /[/\\.]/u.test(name) ? undefined : nearestName(name, shippedListNames);
  if (suggestion !== undefined) {
    throw new HarnessError(
      "usage",
      `there is no list of known failures ${name}; did you mean \`${suggestion}\`, which is included?`,
    );
  }
  rejectMistypedPath(name, cwd);
}

/** Returns the text of a list of known failures. Throws a `HarnessError` that describes the problem. */
export async function readKnownFailureFile(name: string, cwd: string): Promise<string> {
  const path = resolve(cwd, name);
  const createReadError = (problem: string, cause?: unknown): HarnessError =>
    new HarnessError("usage", `the known failures in ${name} ${problem}`, { cause });
  rejectMistypedList(name, cwd);
  const stats = await stat(path).catch((cause: unknown) => {
    throw createReadError("cannot be read; check the path", cause);
  });
  if (!stats.isFile()) {
    throw createReadError("are not a file; pass a text file");
  }
  if (stats.size > maxBytes) {
    throw createReadError(`are ${stats.size} bytes, over the limit of ${maxBytes}; pass a list of rules`);
  }
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw createReadError("cannot be read; check its permissions", cause);
  });
}

/** Reads each named file or shipped list. Throws a `HarnessError`. */
export async function readKnownFailures(
  names: readonly string[] = [],
  cwd: string,
): Promise<readonly KnownFailureFile[]> {
  const sources = [...new Set(names)];
  return Promise.all(
    sources.map(async (source) =>
      isShippedListName(source)
        ? { source, text: shippedKnownFailuresText(source), isShipped: true }
        : { source, text: await readKnownFailureFile(source, cwd) },
    ),
  );
}
