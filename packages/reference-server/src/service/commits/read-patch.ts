export interface Hunk {
  /** The line that starts with `@@`. */
  readonly header: string;
  /** Lines with their leading `+`, `-` or space. */
  readonly lines: readonly string[];
}

/** The changes of a commit in one file. */
export interface FilePatch {
  /** The old name, or `/dev/null`. */
  readonly oldPath: string;
  /** The new name, or `/dev/null`. */
  readonly newPath: string;
  readonly hunks: readonly Hunk[];
}

/**
 * Returns the name in a `---` or `+++` line, without the prefix `a/` or `b/`. Git quotes names with special characters, and ends names
 * that contain spaces with a tab. Escapes in quoted names are not decoded.
 */
const unquoteName = (line: string): string => {
  const name = line
    .slice(4)
    .replace(/\t$/u, "")
    .replace(/^"(?<inner>.*)"$/su, "$<inner>");
  return name.replace(/^[ab]\//u, "");
};

interface PatchDraft {
  oldPath: string;
  newPath: string;
  readonly hunks: { readonly header: string; readonly lines: string[] }[];
}

/** Reports whether a line belongs to a hunk. A backslash marks a missing line ending. */
const isHunkLine = (line: string): boolean => /^[ +\-\\]/u.test(line);

/** Reads the names from the lines before the first hunk. */
const readName = (file: PatchDraft, line: string): void => {
  if (line.startsWith("--- ")) {
    file.oldPath = unquoteName(line);
  } else if (line.startsWith("+++ ")) {
    file.newPath = unquoteName(line);
  }
};

const readLine = (files: PatchDraft[], line: string): void => {
  const file = files.at(-1);
  if (file === undefined || line.startsWith("diff --git ")) {
    files.push({ oldPath: "", newPath: "", hunks: [] });
    return;
  }
  const hunk = file.hunks.at(-1);
  if (line.startsWith("@@ ")) {
    file.hunks.push({ header: line, lines: [] });
  } else if (hunk === undefined) {
    readName(file, line);
  } else if (isHunkLine(line)) {
    hunk.lines.push(line);
  }
};

/** Parses a patch in git's format. Skips files without hunks, such as binary files. */
export const readPatch = (patch: string): readonly FilePatch[] => {
  const files: PatchDraft[] = [];
  for (const line of patch.split("\n")) {
    readLine(files, line);
  }
  return files.filter(({ hunks }) => hunks.length > 0);
};

/** Returns the name that file filters match: the new name, or the old name of a removed file. */
export const findPatchedPath = ({ newPath, oldPath }: FilePatch): string =>
  newPath === "/dev/null" ? oldPath : newPath;
