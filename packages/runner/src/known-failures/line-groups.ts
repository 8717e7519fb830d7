/** A line that is not blank, without the space around it. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Lines that belong together: comments, without their `#`, and the entries below them; either may be missing, never both. */
export interface LineGroup {
  readonly comments: readonly Line[];
  readonly entries: readonly Line[];
}

interface OpenGroup {
  readonly comments: Line[];
  readonly entries: Line[];
}

const linesOf = (text: string): readonly Line[] =>
  text
    .replace(/^\uFEFF/u, "")
    .split(/\r\n|\n|\r/u)
    .map((line, index) => ({ number: index + 1, text: line.trim() }));

/** Groups of a list, in its order. A blank line ends a group, and so does a comment below an entry. */
export const lineGroups = (text: string): readonly LineGroup[] => {
  const groups: OpenGroup[] = [];
  let group: OpenGroup | undefined;
  for (const line of linesOf(text)) {
    const isComment = line.text.startsWith("#");
    if (line.text === "" || (isComment && (group?.entries.length ?? 0) > 0)) {
      group = undefined;
    }
    if (line.text === "") {
      continue;
    }
    if (group === undefined) {
      group = { comments: [], entries: [] };
      groups.push(group);
    }
    if (isComment) {
      group.comments.push({ ...line, text: line.text.replace(/^#+\s*/u, "") });
    } else {
      group.entries.push(line);
    }
  }
  return groups;
};
