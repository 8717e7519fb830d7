import { HarnessError } from "@assay/contract";
import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import type { FoundRun } from "./find-runs.ts";
import { findFormatFileName, type FormatName, inferFileFormat, defaultFormats } from "./report-formats.ts";

/** The files to write. */
export interface OutTarget {
  readonly folder: string;
  readonly files: readonly (readonly [name: string, format: FormatName])[];
}

/** Files of a run that cannot be made again, and files of its results. */
const protectedFiles = [...Object.values(bundleFiles), "verdicts.json", "timelines.json", "load.json", "log.ndjson"];

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
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveLinks(parent), basename(path));
  }
}

const listInputFiles = ({ kind, path }: FoundRun): readonly string[] =>
  kind.endsWith("file") ? [path] : protectedFiles.map((file) => join(path, file));

/**
 * Fails with a `HarnessError` for a path that is not writable, or that would replace a file of the reported runs. Checked before anything
 * is read.
 */
export function rejectOutFile(typedPath: string, { flag, runs, cwd }: OutContext): void {
  const path = resolve(cwd, typedPath);
  if (typedPath === "-") {
    throw new HarnessError(
      "usage",
      `${flag} takes the name of a file; to print, name the --format and leave ${flag} out`,
    );
  }
  const stats = findStats(path);
  if (stats !== undefined && !stats.isFile()) {
    throw new HarnessError(
      "usage",
      `${flag} ${quotePath(typedPath)} is not a regular file; choose another path, or print with --format`,
    );
  }
  const inputs = new Set(runs.flatMap(listInputFiles).map(resolveLinks));
  if (inputs.has(resolveLinks(path))) {
    throw new HarnessError(
      "usage",
      `${flag} ${quotePath(typedPath)} would replace a source of the report; choose another path`,
    );
  }
}

/** The choices of the command line. */
export interface OutContext {
  /** The flag, for messages. */
  readonly flag: string;
  /** The reported runs, which must not be replaced. */
  readonly runs: readonly FoundRun[];
  readonly cwd: string;
}

/** The format of a file; undefined for a folder. */
function inferFormat(out: string, names: readonly FormatName[] | undefined): FormatName | undefined {
  const fileFormat = inferFileFormat(out);
  if (names === undefined || fileFormat === undefined) {
    return names?.length === 1 ? names[0] : fileFormat;
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
  const pathExists = findStats(path) !== undefined;
  if (pathExists && !isFolder(path)) {
    throw new HarnessError(
      "usage",
      `--out ${quotePath(out)} is a file whose name tells no format; name one with --format`,
    );
  }
  if (!pathExists && !out.endsWith("/") && /^\.[a-z]+$/iu.test(extname(out))) {
    const endingText = `${quotePath(out)} ends with none of .html, .xml, .md and .json`;
    throw new HarnessError("usage", `--out ${endingText}; name its --format, or end the name of a folder with /`);
  }
}

const chooseFileNames = (names: readonly FormatName[]): OutTarget["files"] =>
  names.map((name) => {
    const file = findFormatFileName(name);
    if (file === undefined) {
      throw new HarnessError("usage", `the format ${name} is only printed; leave out --out`);
    }
    return [file, name];
  });

/** The files of `--out`: one file with the format of its name or of `--format`, else a folder. Fails with a `HarnessError`. */
export function resolveOutTarget(
  out: string,
  names: readonly FormatName[] | undefined,
  context: OutContext,
): OutTarget {
  const path = resolve(context.cwd, out);
  const format = out.endsWith("/") || isFolder(path) ? undefined : inferFormat(out, names);
  if (format === undefined && out !== "-") {
    rejectMissingFolder(out, path);
    return { folder: path, files: chooseFileNames(names ?? defaultFormats) };
  }
  rejectOutFile(out, context);
  return { folder: dirname(path), files: format === undefined ? [] : [[basename(path), format]] };
}

/** The default path of the page: in the run folder if there is one, otherwise in `reports`. */
export function chooseDefaultTarget(runs: readonly FoundRun[], cwd: string): OutTarget {
  const [run, ...otherRuns] = runs;
  const isSingleFolder = run !== undefined && otherRuns.length === 0 && !run.kind.endsWith("file");
  return { folder: isSingleFolder ? run.path : resolve(cwd, "reports"), files: [["report.html", "html"]] };
}
