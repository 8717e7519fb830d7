import { codeSpan, proseText } from "./markdown-text.ts";
import { type shownLength, escapeForDisplay } from "../../document/shown-text.ts";

/** Formats a name as a code span. */
export const markdownName = (text: string): string => codeSpan(escapeForDisplay(text, "name"));

/** Formats a sentence in which only `code` between backticks is markup. */
export const markdownProse = (text: string, kind: keyof typeof shownLength = "sentence"): string =>
  proseText(escapeForDisplay(text, kind));

/** Formats a section with its title. Empty if there are no lines. */
export const markdownSection = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];

/** Folds lines under a title, which must be our own plain text. Empty if there are no lines. */
export const markdownDetails = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [
        "",
        "<details>",
        `<summary>${title}</summary>`,
        ...(lines[0] === "" ? [] : [""]),
        ...lines,
        ...(lines.at(-1) === "" ? [] : [""]),
        "</details>",
      ];

/** Formats the first `limit` items of a list, and the number of the rest. */
export const cutList = <Item>(
  items: readonly Item[],
  limit: number,
  formatItem: (item: Item) => string,
): readonly string[] => {
  const moreCount = items.length - limit;
  return [...items.slice(0, limit).map(formatItem), ...(moreCount > 0 ? [`- and ${moreCount} more`] : [])];
};

/** Formats a table whose first `leftColumns` are aligned left. Cells are Markdown without bars. Empty if there are no rows. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns = 1,
): readonly string[] =>
  rows.length === 0
    ? []
    : [
        "",
        `| ${head.join(" | ")} |`,
        `|${head.map((_, column) => (column < leftColumns ? "---" : "--:")).join("|")}|`,
        ...rows.map((cells) => `| ${cells.join(" | ")} |`),
      ];
