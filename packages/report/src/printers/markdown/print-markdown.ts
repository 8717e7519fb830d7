import type { Block, Entry, Line, Piece, Section, TextTable } from "../../document/document.ts";
import { markdownName, markdownProse, markdownTable } from "./markdown-parts.ts";
import { createMarkedExcerpt } from "../terminal/marked-excerpt.ts";
import { cellName, cellProse, codeBlock, codeSpan, inlineText, proseText } from "./markdown-text.ts";
import type { Sign } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";

const renderPieceMarkdown = (piece: Piece): string => {
  if (typeof piece === "string") {
    return inlineText(escapeForDisplay(piece));
  }
  if ("name" in piece) {
    return markdownName(piece.name);
  }
  if ("invalid" in piece) {
    return inlineText(escapeForDisplay(piece.invalid));
  }
  return codeSpan("url" in piece ? escapeForDisplay(piece.url, "url") : escapeForDisplay(piece.command, "command"));
};

/** Formats a line as Markdown. Only names and `code` between backticks are markup. */
export const renderMarkdownLine = (line: Line): string => {
  if (typeof line === "string") {
    return markdownProse(line);
  }
  const [firstPiece = "", ...otherPieces] = line;
  return `${typeof firstPiece === "string" ? markdownProse(firstPiece) : renderPieceMarkdown(firstPiece)}${otherPieces.map(renderPieceMarkdown).join("")}`;
};

const indentLines = (lines: readonly string[], columns: number): readonly string[] =>
  lines.map((line) => (line === "" ? "" : `${" ".repeat(columns)}${line}`));

/** Formats a sign as escaped text, because `~` would strike text out and `-` would begin a list. */
const formatSignPrefix = (sign: Sign | undefined): string => (sign === undefined ? "" : `${proseText(sign)} `);

const renderEntryMarkdown = (entry: Entry): readonly string[] => {
  const { sign, label, line, note, children = [] } = entry;
  const name = label === undefined ? "" : `${markdownName(label)}: `;
  const firstLine = `- ${formatSignPrefix(sign)}${name}${renderMarkdownLine(line)}${note === undefined ? "" : ` (${inlineText(escapeForDisplay(note))})`}`;
  return [
    firstLine,
    ...indentLines(
      children.flatMap((block) => renderBlockMarkdown(block, true)),
      2,
    ),
  ];
};

const renderTableMarkdown = ({ head, rows, leftColumns }: TextTable): readonly string[] => {
  const markdownRows = rows.map((row) => {
    const [name = "", ...cells] = row.map((cell) => escapeForDisplay(cell, "name"));
    return [cellName(name), ...cells.map(cellProse)];
  });
  return [...markdownTable(head.map(cellProse), markdownRows, leftColumns), ""];
};

const excerptColumns = 100;

const renderBlockMarkdown = (block: Block, isNested = false): readonly string[] => {
  switch (block.kind) {
    case "text":
      return ["", `${block.isFaint === true && !isNested ? "> " : ""}${renderMarkdownLine(block.line)}`, ""];
    case "list":
      return [...block.entries.flatMap(renderEntryMarkdown), ...(block.more === undefined ? [] : [`- ${block.more}`])];
    case "table":
      return renderTableMarkdown(block.table);
    case "excerpt": {
      const { before, marked, after, carets } = createMarkedExcerpt(block.excerpt, excerptColumns);
      return ["", ...codeBlock([`${before}${marked}${after}`, carets]), ""];
    }
    case "command":
      return ["", ...codeBlock([escapeForDisplay(block.command, "command")]), ""];
    case "folded":
      return block.blocks.flatMap((nested) => renderBlockMarkdown(nested, isNested));
    case "per-format":
      return block.text.flatMap((nested) => renderBlockMarkdown(nested, isNested));
  }
};

/** Collapses empty lines, and removes them at the beginning and end. */
const collapseEmptyLines = (lines: readonly string[]): readonly string[] => {
  const collapsed = lines.filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "");
  return collapsed.at(-1) === "" ? collapsed.slice(0, -1) : collapsed;
};

/** Formats a section as Markdown. Empty for a section without blocks. */
export const renderSectionMarkdown = ({ title, sign, blocks }: Section, level = 3): readonly string[] => {
  if (blocks.length === 0) {
    return [];
  }
  const head =
    title === undefined ? [] : ["", `${"#".repeat(level)} ${formatSignPrefix(sign)}${renderMarkdownLine(title)}`, ""];
  return ["", ...collapseEmptyLines([...head, ...blocks.flatMap((block) => renderBlockMarkdown(block))])];
};
