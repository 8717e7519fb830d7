import { codeSpan, proseText } from "./markdown-text.ts";
import { type shownLength, shownText } from "../../document/shown-text.ts";

/** A name in a code span. */
export const markdownName = (text: string): string => codeSpan(shownText(text, "name"));

/** A sentence in which nothing but `code` between back-ticks is markup. */
export const markdownProse = (text: string, kind: keyof typeof shownLength = "sentence"): string =>
  proseText(shownText(text, kind));

/** A section with its title; nothing without lines. */
export const markdownSection = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines];

/** Lines folded behind a title, which must be our own plain text; nothing without lines. */
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

/** The first `limit` items of a list, and the number of the rest. */
export const cutList = <Item>(
  items: readonly Item[],
  limit: number,
  lineOf: (item: Item) => string,
): readonly string[] => {
  const more = items.length - limit;
  return [...items.slice(0, limit).map(lineOf), ...(more > 0 ? [`- and ${more} more`] : [])];
};

/** A table; cells are Markdown without bars. Nothing without rows. */
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
