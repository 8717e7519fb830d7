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

/** Files of a run that cannot be created again, and files of its results. */
const protectedFiles = [...Object.values(bundleFiles), "verdicts.json", "timelines.json", "load.json", "log.ndjson"];

const formatPath = (path: string): string => visibleText(path, 200);

/** Returns the status of a path. Returns undefined if it does not exist or is not accessible. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const isFolder = (path: string): boolean => findStats(path)?.isDirectory() ?? false;

/** Resolves all links in a path, also for a file that does not exist yet. */
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
 * Throws a `HarnessError` for a path that cannot be an output file, or that would replace a file of the reported runs. Call it before
 * reading the runs.
 */
export function rejectOutFile(typedPath: string, { flag, runs, cwd }: OutContext): void {
  const path = resolve(cwd, typedPath);
  if (typedPath === "-") {
    throw new HarnessError("usage", `${flag} requires the name of a file; to print, set --format and remove ${flag}`);
  }
  const stats = findStats(path);
  if (stats !== undefined && !stats.isFile()) {
    throw new HarnessError(
      "usage",
      `${flag} ${formatPath(typedPath)} is not a regular file; choose another path, or print with --format`,
    );
  }
  const inputs = new Set(runs.flatMap(listInputFiles).map(resolveLinks));
  if (inputs.has(resolveLinks(path))) {
    throw new HarnessError(
      "usage",
      `${flag} ${formatPath(typedPath)} would replace a source of the report; choose another path`,
    );
  }
}

/** The flag that sets an output path, and the runs it must not replace. */
export interface OutContext {
  /** The flag, for messages. */
  readonly flag: string;
  /** The reported runs. */
  readonly runs: readonly FoundRun[];
  readonly cwd: string;
}

/** Infers the format of a file. Returns undefined for a folder. */
function inferFormat(outPath: string, names: readonly FormatName[] | undefined): FormatName | undefined {
  const fileFormat = inferFileFormat(outPath);
  if (names === undefined || fileFormat === undefined) {
    return names?.length === 1 ? names[0] : fileFormat;
  }
  if (names.length > 1) {
    throw new HarnessError(
      "usage",
      `--out ${formatPath(outPath)} is one file, and ${names.length} formats were selected; pass a folder`,
    );
  }
  return names[0];
}

function rejectMissingFolder(outPath: string, path: string): void {
  const pathExists = findStats(path) !== undefined;
  if (pathExists && !isFolder(path)) {
    throw new HarnessError(
      "usage",
      `--out ${formatPath(outPath)} is a file whose extension selects no format; choose one with --format`,
    );
  }
  if (!pathExists && !outPath.endsWith("/") && /^\.[a-z]+$/iu.test(extname(outPath))) {
    const endingText = `${formatPath(outPath)} ends with none of .html, .xml, .md and .json`;
    throw new HarnessError("usage", `--out ${endingText}; set --format, or end the name of a folder with /`);
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

/** Returns the files of `--out`: one file with the format of its name or of `--format`, otherwise a folder. Throws a `HarnessError`. */
export function resolveOutTarget(
  outPath: string,
  names: readonly FormatName[] | undefined,
  context: OutContext,
): OutTarget {
  const path = resolve(context.cwd, outPath);
  const format = outPath.endsWith("/") || isFolder(path) ? undefined : inferFormat(outPath, names);
  if (format === undefined && outPath !== "-") {
    rejectMissingFolder(outPath, path);
    return { folder: path, files: chooseFileNames(names ?? defaultFormats) };
  }
  rejectOutFile(outPath, context);
  return { folder: dirname(path), files: format === undefined ? [] : [[basename(path), format]] };
}

/** Returns the default path of the page: in the run folder if there is one, otherwise in `reports`. */
export function chooseDefaultTarget(runs: readonly FoundRun[], cwd: string): OutTarget {
  const [run, ...otherRuns] = runs;
  const isSingleFolder = run !== undefined && otherRuns.length === 0 && !run.kind.endsWith("file");
  return { folder: isSingleFolder ? run.path : resolve(cwd, "reports"), files: [["report.html", "html"]] };
}
