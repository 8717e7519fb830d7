const longestRun = (text: string, character: string): number =>
  Math.max(0, ...text.split(new RegExp(`[^${character}]+`, "u")).map((run) => run.length));

/**
 * Text as a code span that it cannot leave: markup, mentions, links and images inside are shown and never followed. Of one
 * line; an empty text is written as `(empty)`.
 */
export const codeSpan = (line: string): string => {
  const text = line === "" ? "(empty)" : line;
  const fence = "`".repeat(longestRun(text, "`") + 1);
  const space = /^[` ]|[` ]$/u.test(text) ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
};

/** Lines as a fenced block that they cannot leave. */
export const codeBlock = (lines: readonly string[]): readonly string[] => {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n"), "`") + 1));
  return [`${fence}text`, ...lines, fence];
};

const asEntity = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** Markup becomes entities; a zero-width space keeps mentions, issue references and bare addresses from becoming links. */
const plain = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>#!|~&$]/gu, asEntity)
    .replaceAll(/@|&#35;|:(?=\/\/)|www(?=\.)/giu, (match) => `${match}\u200B`);

/** The beginning of a line without what would make a list, a rule or an indented block of it. */
const inParagraph = (text: string): string =>
  text
    .trimStart()
    .replace(/^(?<digits>\d*)(?<marker>[-+.)])/u, (_all, digits: string, marker: string) => digits + asEntity(marker));

/**
 * A part of a sentence that may hold `code` between back-ticks: what stands between them becomes code spans, the rest is shown as it
 * is and never taken for markup. With an odd number of back-ticks none of them means anything.
 */
export const inlineText = (part: string): string => {
  const parts = part.split("`");
  return parts.length % 2 === 0
    ? plain(part)
    : parts.map((each, index) => (index % 2 === 1 ? codeSpan(each) : plain(each))).join("");
};

/** The same for the beginning of a paragraph, or the whole of it. */
export const proseText = (line: string): string => inParagraph(inlineText(line));

/**
 * A name in a cell of a table: a code span, but where a bar or a backslash stands in it, since bars end cells also inside
 * of code spans; then it is plain text that is never taken for markup.
 */
export const cellName = (line: string): string => (/[|\\]/u.test(line) ? plain(line.trim()) : codeSpan(line));

/** A sentence in a cell of a table: `code` between back-ticks becomes code spans, nothing else is markup or ends the cell. */
export const cellProse = (line: string): string => {
  const parts = line.split("`");
  return parts.length % 2 === 0
    ? plain(line)
    : parts.map((part, index) => (index % 2 === 1 ? cellName(part) : plain(part))).join("");
};
