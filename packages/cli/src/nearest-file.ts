import { HarnessError } from "@assay/contract";
import { existsSync, opendirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";

/** More entries of a folder than these are not looked at. */
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
    // What cannot be listed has no name to offer.
    return [];
  }
  return names.toSorted();
}

/** A folder and what is in it, as a person would write it. */
const joined = (folder: string, name: string, typed: string): string =>
  folder === "." && !typed.startsWith("./") ? name : join(folder, name);

/**
 * The path that a mistyped one may mean, written as it was: the first part of it that is not there is replaced by the nearest
 * name in its folder, and the rest stays where it is there as well. Undefined where the path is there, or nothing is near.
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
  // What has this very name and cannot be reached, such as a link to nothing, was not mistyped.
  return name === undefined || name === basename(typed) ? undefined : joined(parent, name, typed);
}

/** What to ask a person who typed the name of a file that is not there; undefined where nothing is near. */
export function nearestFile(typed: string, cwd: string): string | undefined {
  const near = nearestPath(typed, cwd);
  return near === undefined ? undefined : `did you mean \`${visibleText(near, 200)}\`?`;
}

/**
 * Refuses the name of a file or folder that is not there where another name is near; standard input, addresses and what has no
 * near name are left to whoever reads them. Fails with a `HarnessError`.
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
