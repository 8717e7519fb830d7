const escapeCharacter = String.fromCodePoint(0x1b);
const styles = new RegExp(`^(?:${escapeCharacter}\\[[0-9;]*m|\\s)*(?=::)`, "u");

/**
 * Inserts zero-width spaces so that continuous integration systems do not interpret a line as a command: into `::` at its start, and into `##[`
 * or `##vso[` anywhere.
 */
export const withoutCommands = (line: string): string => {
  const start = styles.exec(line)?.[0];
  const escaped = start === undefined ? line : `${start}:\u200B:${line.slice(start.length + 2)}`;
  return escaped.replaceAll(/##(?=\[|vso\[)/giu, "##\u200B");
};

/** Joins lines for a terminal, a log or a summary. Each ends with a line feed, and none is a command. */
export const joinTerminalLines = (lines: readonly string[]): string =>
  lines.map((line) => `${withoutCommands(line.trimEnd())}\n`).join("");

/** Joins blocks of lines with one empty line between them. Skips empty blocks. */
export const joinBlocks = (blocks: readonly (readonly string[])[]): readonly string[] =>
  blocks
    .flatMap((block) => (block.length === 0 ? [] : [[""], block]))
    .flat()
    .slice(1);
