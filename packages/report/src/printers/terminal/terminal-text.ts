const escapeCharacter = String.fromCodePoint(0x1b);
const styles = new RegExp(`^(?:${escapeCharacter}\\[[0-9;]*m|\\s)*(?=::)`, "u");

/**
 * A line that no continuous integration system takes for a command: `::` at its start and `##[` or `##vso[` anywhere get a
 * zero-width space.
 */
export const withoutCommands = (line: string): string => {
  const start = styles.exec(line)?.[0];
  const neutral = start === undefined ? line : `${start}:\u200B:${line.slice(start.length + 2)}`;
  return neutral.replaceAll(/##(?=\[|vso\[)/giu, "##\u200B");
};

/** Lines joined into what is written to a terminal, a log or a summary: each ended by a line feed, none of them a command. */
export const terminalText = (lines: readonly string[]): string =>
  lines.map((line) => `${withoutCommands(line.trimEnd())}\n`).join("");

/** Blocks of lines with one empty line between them; empty blocks leave none. */
export const stacked = (blocks: readonly (readonly string[])[]): readonly string[] =>
  blocks
    .flatMap((block) => (block.length === 0 ? [] : [[""], block]))
    .flat()
    .slice(1);
