/** A changed stretch of a file. */
export interface Hunk {
  /** The line that starts with `@@`. */
  readonly header: string;
  /** Lines with their leading `+`, `-` or space. */
  readonly lines: readonly string[];
}

/** What a commit changed in one file. */
export interface FilePatch {
  /** The name before, or `/dev/null`. */
  readonly oldPath: string;
  /** The name after, or `/dev/null`. */
  readonly newPath: string;
  readonly hunks: readonly Hunk[];
}

/** Git puts names with odd characters into quotes and ends names with spaces with a tab. */
const nameIn = (line: string): string => {
  const name = line
    .slice(4)
    .replace(/\t$/u, "")
    .replace(/^"(?<inner>.*)"$/su, "$<inner>");
  return name.replace(/^[ab]\//u, "");
};

interface OpenPatch {
  oldPath: string;
  newPath: string;
  readonly hunks: { readonly header: string; readonly lines: string[] }[];
}

/** Lines of a hunk start with one of these; the backslash tells about a missing line end. */
const isHunkLine = (line: string): boolean => /^[ +\-\\]/u.test(line);

/** Lines before the first hunk of a file: only its two names matter. */
const readName = (file: OpenPatch, line: string): void => {
  if (line.startsWith("--- ")) {
    file.oldPath = nameIn(line);
  } else if (line.startsWith("+++ ")) {
    file.newPath = nameIn(line);
  }
};

const takeLine = (files: OpenPatch[], line: string): void => {
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

/** Takes a patch in git's format apart. Files without hunks, such as binary ones, are left out. */
export const readPatch = (patch: string): readonly FilePatch[] => {
  const files: OpenPatch[] = [];
  for (const line of patch.split("\n")) {
    takeLine(files, line);
  }
  return files.filter(({ hunks }) => hunks.length > 0);
};

/** The name by which a file is selected: the one after the commit, or the one before when it was removed. */
export const patchedPath = ({ newPath, oldPath }: FilePatch): string => (newPath === "/dev/null" ? oldPath : newPath);
