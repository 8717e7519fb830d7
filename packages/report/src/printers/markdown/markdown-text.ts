const measureLongestRun = (text: string, character: string): number =>
  Math.max(0, ...text.split(new RegExp(`[^${character}]+`, "u")).map((run) => run.length));

/**
 * Formats one line of text as a code span, which the text cannot end: markup, mentions, links and images are shown as text. An empty string is
 * shown as `(empty)`.
 */
export const codeSpan = (line: string): string => {
  const text = line === "" ? "(empty)" : line;
  const fence = "`".repeat(measureLongestRun(text, "`") + 1);
  const space = /^[` ]|[` ]$/u.test(text) ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
};

/** Formats lines as a fenced block, which the lines cannot end. */
export const codeBlock = (lines: readonly string[]): readonly string[] => {
  const fence = "`".repeat(Math.max(3, measureLongestRun(lines.join("\n"), "`") + 1));
  return [`${fence}text`, ...lines, fence];
};

const toEntity = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** Escapes markup as entities. A zero-width space prevents links from mentions, issue references and bare addresses. */
const escapeMarkup = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>#!|~&$]/gu, toEntity)
    .replaceAll(/@|&#35;|:(?=\/\/)|www(?=\.)/giu, (match) => `${match}\u200B`);

/** Escapes the beginning of a line, so that it is not a list, a rule or an indented block. */
const escapeLineStart = (text: string): string =>
  text
    .trimStart()
    .replace(/^(?<digits>\d*)(?<marker>[-+.)])/u, (_all, digits: string, marker: string) => digits + toEntity(marker));

/**
 * Formats part of a sentence. `code` between backticks becomes code spans, and the rest is text instead of markup. If the number of backticks
 * is odd, all of it is text.
 */
export const inlineText = (text: string): string => {
  const parts = text.split("`");
  return parts.length % 2 === 0
    ? escapeMarkup(text)
    : parts.map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapeMarkup(part))).join("");
};

/** Like `markdownProse`, for the beginning of a paragraph. */
export const proseText = (line: string): string => escapeLineStart(inlineText(line));

/**
 * Formats a name in a table cell: a code span, or plain text if it contains a bar or a backslash, because bars end cells even in code spans.
 */
export const cellName = (line: string): string => (/[|\\]/u.test(line) ? escapeMarkup(line.trim()) : codeSpan(line));

/** Formats a sentence in a table cell. `code` between backticks becomes code spans. The rest is not markup and cannot end the cell. */
export const cellProse = (line: string): string => {
  const parts = line.split("`");
  return parts.length % 2 === 0
    ? escapeMarkup(line)
    : parts.map((part, index) => (index % 2 === 1 ? cellName(part) : escapeMarkup(part))).join("");
};
