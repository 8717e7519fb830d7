import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { UsageError } from "../command-error.ts";

/** A file to write. */
export interface NewFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Below something that is no folder nothing is; writing says so.
    return false;
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "an unknown failure";

/** How a path is told to people. */
export const shownPath = (path: string, cwd: string): string => visibleText(relative(cwd, path) || ".", 300);

interface Writing {
  readonly cwd: string;
  /** Replaces what is there. */
  readonly force: boolean;
}

/**
 * Writes all files, or none where one of them is there already. Fails with a `UsageError` that names the file: when it is there,
 * and when it cannot be written, which also says what was written before it.
 */
export function writeNewFiles(files: readonly NewFile[], { cwd, force }: Writing): void {
  const found = files.filter(({ path }) => isThere(path)).map(({ path }) => shownPath(path, cwd));
  if (!force && found.length > 0) {
    const what = found.length === 1 ? "is there already" : "are there already";
    throw new UsageError(
      `${found.join(" and ")} ${what}, and nothing was written; look at what would be by --dry-run, or replace by --force`,
    );
  }
  const written: string[] = [];
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: force ? "w" : "wx" });
    } catch (cause) {
      const before = written.length === 0 ? "" : `; ${written.join(" and ")} was written before`;
      throw new UsageError(
        `${shownPath(path, cwd)} cannot be written (${codeOf(cause)})${before}; name another folder by --dir, or print it by --dry-run`,
        { cause },
      );
    }
    written.push(shownPath(resolve(path), cwd));
  }
}
