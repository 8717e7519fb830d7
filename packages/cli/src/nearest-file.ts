import { HarnessError } from "@assay/contract";
import { existsSync, opendirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";

/** Maximum number of entries of a folder that are compared. */
const maxEntries = 1000;

function entriesOf(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry !== null && names.length < maxEntries; entry = open.readSync()) {
        names.push(entry.name);
      }
    } finally {
      open.closeSync();
    }
  } catch {
    // An unreadable folder has no names to suggest.
    return [];
  }
  return names.toSorted();
}

/** A path to an entry of a folder, as a user would type it. */
const joined = (folder: string, name: string, typed: string): string =>
  folder === "." && !typed.startsWith("./") ? name : join(folder, name);

/**
 * The path that a mistyped one may mean. Its first missing part is replaced by the nearest name in its folder; the rest is kept if it
 * exists there. Undefined if the path exists, or no name is near.
 */
export function nearestPath(typed: string, cwd: string): string | undefined {
  const parent = dirname(typed);
  if (existsSync(resolve(cwd, typed))) {
    return undefined;
  }
  if (parent !== typed && !existsSync(resolve(cwd, parent))) {
    const near = nearestPath(parent, cwd);
    const whole = near === undefined ? undefined : join(near, basename(typed));
    return whole !== undefined && existsSync(resolve(cwd, whole)) ? whole : near;
  }
  const name = nearestName(basename(typed), entriesOf(resolve(cwd, parent)));
  // An entry with exactly this name was not mistyped, such as a dangling link.
  return name === undefined || name === basename(typed) ? undefined : joined(parent, name, typed);
}

/** The question about a missing file with a near name; undefined if no name is near. */
export function nearestFile(typed: string, cwd: string): string | undefined {
  const near = nearestPath(typed, cwd);
  return near === undefined ? undefined : `did you mean \`${visibleText(near, 200)}\`?`;
}

/**
 * Fails with a `HarnessError` for a missing file or folder whose name is near to another one. Standard input, addresses and names without
 * a near one are left to the reader of the file.
 */
export function refuseMistyped(typed: string, cwd: string): void {
  const hint = typed === "-" || /^[a-z]+:\/\//iu.test(typed) ? undefined : nearestFile(typed, cwd);
  if (hint !== undefined) {
    throw new HarnessError(
      "usage",
      `${visibleText(typed, 200)} cannot be read: there is no such file or folder; ${hint}`,
    );
  }
}
