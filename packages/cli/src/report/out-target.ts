import { HarnessError } from "@assay/contract";
import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import type { FoundRun } from "./find-runs.ts";
import { fileOfFormat, type FormatName, formatOfFile, usualFormats } from "./report-formats.ts";

/** The files to write. */
export interface OutTarget {
  readonly folder: string;
  readonly files: readonly (readonly [name: string, format: FormatName])[];
}

/** Files of a run that cannot be made again, and files of its results. */
const keptFiles = [...Object.values(bundleFiles), "verdicts.json", "timelines.json", "load.json", "log.ndjson"];

const quotePath = (path: string): string => visibleText(path, 200);

/** The status of a path; undefined if it does not exist or cannot be reached. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const isFolder = (path: string): boolean => findStats(path)?.isDirectory() ?? false;

/** A path without links, also for a file that does not exist yet. */
function truePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(truePath(above), basename(path));
  }
}

const listInputFiles = ({ kind, path }: FoundRun): readonly string[] =>
  kind.endsWith("file") ? [path] : keptFiles.map((file) => join(path, file));

/**
 * Fails with a `HarnessError` for a path that is not writable, or that would replace a file of the reported runs. Checked before anything
 * is read.
 */
export function rejectOutFile(typed: string, { flag, found, cwd }: OutChoice): void {
  const path = resolve(cwd, typed);
  if (typed === "-") {
    throw new HarnessError(
      "usage",
      `${flag} takes the name of a file; to print, name the --format and leave ${flag} out`,
    );
  }
  const stats = findStats(path);
  if (stats !== undefined && !stats.isFile()) {
    throw new HarnessError(
      "usage",
      `${flag} ${quotePath(typed)} is not a regular file; choose another path, or print with --format`,
    );
  }
  const inputs = new Set(found.flatMap(listInputFiles).map(truePath));
  if (inputs.has(truePath(path))) {
    throw new HarnessError(
      "usage",
      `${flag} ${quotePath(typed)} would replace a source of the report; choose another path`,
    );
  }
}

/** The choices of the command line. */
export interface OutChoice {
  /** The flag, for messages. */
  readonly flag: string;
  /** The reported runs, which must not be replaced. */
  readonly found: readonly FoundRun[];
  readonly cwd: string;
}

/** The format of a file; undefined for a folder. */
function inferFormat(out: string, names: readonly FormatName[] | undefined): FormatName | undefined {
  const byName = formatOfFile(out);
  if (names === undefined || byName === undefined) {
    return names?.length === 1 ? names[0] : byName;
  }
  if (names.length > 1) {
    throw new HarnessError(
      "usage",
      `--out ${quotePath(out)} is one file, and ${names.length} formats were named; name a folder`,
    );
  }
  return names[0];
}

function rejectMissingFolder(out: string, path: string): void {
  const isThere = findStats(path) !== undefined;
  if (isThere && !isFolder(path)) {
    throw new HarnessError(
      "usage",
      `--out ${quotePath(out)} is a file whose name tells no format; name one with --format`,
    );
  }
  if (!isThere && !out.endsWith("/") && /^\.[a-z]+$/iu.test(extname(out))) {
    const ends = `${quotePath(out)} ends with none of .html, .xml, .md and .json`;
    throw new HarnessError("usage", `--out ${ends}; name its --format, or end the name of a folder with /`);
  }
}

const chooseFileNames = (names: readonly FormatName[]): OutTarget["files"] =>
  names.map((name) => {
    const file = fileOfFormat(name);
    if (file === undefined) {
      throw new HarnessError("usage", `the format ${name} is only printed; leave out --out`);
    }
    return [file, name];
  });

/** The files of `--out`: one file with the format of its name or of `--format`, else a folder. Fails with a `HarnessError`. */
export function outTarget(out: string, names: readonly FormatName[] | undefined, choice: OutChoice): OutTarget {
  const path = resolve(choice.cwd, out);
  const only = out.endsWith("/") || isFolder(path) ? undefined : inferFormat(out, names);
  if (only === undefined && out !== "-") {
    rejectMissingFolder(out, path);
    return { folder: path, files: chooseFileNames(names ?? usualFormats) };
  }
  rejectOutFile(out, choice);
  return { folder: dirname(path), files: only === undefined ? [] : [[basename(path), only]] };
}

/** The default path of the page: in the run folder if there is one, otherwise in `reports`. */
export function usualTarget(found: readonly FoundRun[], cwd: string): OutTarget {
  const [only, ...others] = found;
  const isOneFolder = only !== undefined && others.length === 0 && !only.kind.endsWith("file");
  return { folder: isOneFolder ? only.path : resolve(cwd, "reports"), files: [["report.html", "html"]] };
}
