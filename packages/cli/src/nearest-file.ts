import { HarnessError } from "@assay/contract";
import { existsSync, opendirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";

/** Maximum number of folder entries that are compared. */
const maxEntries = 1000;

function listEntries(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    const directory = opendirSync(folder);
    try {
      for (
        let entry = directory.readSync();
        entry !== null && names.length < maxEntries;
        entry = directory.readSync()
      ) {
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // An unreadable folder has no names to suggest.
    return [];
  }
  return names.toSorted();
}

/** Joins a folder and an entry in the form a user would type. */
const joinTyped = (folder: string, name: string, typed: string): string =>
  folder === "." && !typed.startsWith("./") ? name : join(folder, name);

/**
 * Returns the path that a mistyped path may mean. Replaces its first missing part by the nearest name in the folder, and keeps the rest if
 * it exists there. Undefined if the path exists, or if no name is near.
 */
export function findNearestPath(typed: string, cwd: string): string | undefined {
  const parent = dirname(typed);
  if (existsSync(resolve(cwd, typed))) {
    return undefined;
  }
  if (parent !== typed && !existsSync(resolve(cwd, parent))) {
    const near = findNearestPath(parent, cwd);
    const nearestPath = near === undefined ? undefined : join(near, basename(typed));
    return nearestPath !== undefined && existsSync(resolve(cwd, nearestPath)) ? nearestPath : near;
  }
  const name = nearestName(basename(typed), listEntries(resolve(cwd, parent)));
  // An entry with exactly this name, such as a dangling link, was not mistyped.
  return name === undefined || name === basename(typed) ? undefined : joinTyped(parent, name, typed);
}

/** Returns a question with the nearest file name, or undefined if no name is near. */
export function suggestNearestFile(typed: string, cwd: string): string | undefined {
  const near = findNearestPath(typed, cwd);
  return near === undefined ? undefined : `did you mean \`${visibleText(near, 200)}\`?`;
}

/**
 * Throws a `HarnessError` for a missing file or folder with a similar existing name. Ignores standard input, URLs and other names,
 * which the reader of the file reports.
 */
export function rejectMistypedPath(typed: string, cwd: string): void {
  const hint = typed === "-" || /^[a-z]+:\/\//iu.test(typed) ? undefined : suggestNearestFile(typed, cwd);
  if (hint !== undefined) {
    throw new HarnessError("usage", `${visibleText(typed, 200)} cannot be read: no such file or folder; ${hint}`);
  }
}
