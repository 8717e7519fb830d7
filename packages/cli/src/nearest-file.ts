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

/** Joins a folder and an entry as a user would type them. */
const joinAsTyped = (folder: string, name: string, typedPath: string): string =>
  folder === "." && !typedPath.startsWith("./") ? name : join(folder, name);

/**
 * Returns the path that a mistyped path may mean. Replaces its first missing part by the nearest name in the folder,
 * and keeps the rest if it exists there. Returns undefined if the path exists, or if no name is near.
 */
export function findNearestPath(typedPath: string, cwd: string): string | undefined {
  const parent = dirname(typedPath);
  if (existsSync(resolve(cwd, typedPath))) {
    return undefined;
  }
  if (parent !== typedPath && !existsSync(resolve(cwd, parent))) {
    const nearestParent = findNearestPath(parent, cwd);
    const nearestPath = nearestParent === undefined ? undefined : join(nearestParent, basename(typedPath));
    return nearestPath !== undefined && existsSync(resolve(cwd, nearestPath)) ? nearestPath : nearestParent;
  }
  const name = nearestName(basename(typedPath), listEntries(resolve(cwd, parent)));
  // An entry with exactly this name, such as a dangling link, was not mistyped.
  return name === undefined || name === basename(typedPath) ? undefined : joinAsTyped(parent, name, typedPath);
}

/** Returns a question with the nearest file name, or undefined if no name is near. */
export function suggestNearestFile(typedPath: string, cwd: string): string | undefined {
  const nearestPath = findNearestPath(typedPath, cwd);
  return nearestPath === undefined ? undefined : `did you mean \`${visibleText(nearestPath, 200)}\`?`;
}

/**
 * Throws a `HarnessError` for a missing file or folder with a similar existing name. Ignores standard input, URLs and other names,
 * which the reader of the file reports.
 */
export function rejectMistypedPath(typedPath: string, cwd: string): void {
  const hint = typedPath === "-" || /^[a-z]+:\/\//iu.test(typedPath) ? undefined : suggestNearestFile(typedPath, cwd);
  if (hint !== undefined) {
    throw new HarnessError("usage", `${visibleText(typedPath, 200)} cannot be read: no such file or folder; ${hint}`);
  }
}
