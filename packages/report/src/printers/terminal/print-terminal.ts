import type { Excerpt } from "@assay/results";
import { countDisplayColumns, padToColumns } from "./display-columns.ts";
import type { Block, Entry, Line, Piece, Section } from "../../document/document.ts";
import { createMarkedExcerpt } from "./marked-excerpt.ts";
import { paintBySign } from "../../document/outcome-words.ts";
import type { TerminalLayout } from "./terminal-layout.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";
import { renderTableLines } from "./terminal-table.ts";

const renderPlainPiece = (piece: Piece): string => {
  if (typeof piece === "string") {
    return escapeForDisplay(piece);
  }
  if ("name" in piece) {
    return escapeForDisplay(piece.name, "name");
  }
  // The page strikes an invalid value out. The terminal prints it like other text.
  if ("invalid" in piece) {
    return escapeForDisplay(piece.invalid);
  }
  return "url" in piece ? escapeForDisplay(piece.url, "url") : escapeForDisplay(piece.command, "command");
};

/** Formats a line as plain text. Escapes and truncates each piece. */
export const renderPlainLine = (line: Line): string =>
  typeof line === "string" ? escapeForDisplay(line) : line.map(renderPlainPiece).join("");

const renderExcerptLines = (
  excerpt: Excerpt,
  { columns, paint }: TerminalLayout,
  indent: number,
): readonly string[] => {
  const gutter = `${" ".repeat(indent)}│ `;
  const { before, marked, after, carets } = createMarkedExcerpt(excerpt, columns - gutter.length);
  const missing = marked === "" ? " missing here" : "";
  return [
    `${paint.dim(gutter)}${before}${paint.bold(paint.red(marked))}${after}`,
    `${paint.dim(gutter)}${paint.red(`${carets}${missing}`)}`,
  ];
};

/** Returns the sign or number at the beginning of an entry. */
const formatEntryPrefix = ({ sign, number }: Entry): string =>
  sign === undefined ? (number === undefined ? "" : `${number}. `) : `${sign} `;

const formatLabel = (label: string | undefined, labelColumns: number): string => {
  if (label === undefined) {
    return "";
  }
  const name = escapeForDisplay(label, "name");
  return labelColumns === 0 ? `${name}: ` : `${padToColumns(name, labelColumns)}  `;
};

interface ListLayout {
  readonly layout: TerminalLayout;
  readonly indent: number;
  /** Width of the labels in an aligned list, otherwise 0. */
  readonly labelColumns: number;
  /** Width of the lines before the notes, or 0 if no entry has a note. */
  readonly lineColumns: number;
}

/** Formats an entry of an aligned list. Its text wraps in the columns next to the label. */
const renderAlignedLines = (entry: Entry, { layout, indent, labelColumns }: ListLayout): readonly string[] => {
  const head = `${" ".repeat(indent)}${formatEntryPrefix(entry)}${formatLabel(entry.label, labelColumns)}`;
  const columns = countDisplayColumns(head);
  return wrapIndented(renderPlainLine(entry.line), { columns: layout.columns, indent: columns }).map((line, index) =>
    index === 0 ? `${head}${line.slice(columns)}`.trimEnd() : line,
  );
};

/** Formats the sign or number, label and line of an entry. */
const formatEntry = (entry: Entry, labelColumns: number): string =>
  `${formatEntryPrefix(entry)}${formatLabel(entry.label, labelColumns)}${renderPlainLine(entry.line)}`;

const renderEntryLines = (
  entry: Entry,
  { layout, indent, labelColumns, lineColumns }: ListLayout,
): readonly string[] => {
  const { sign, note, children = [] } = entry;
  const { columns, paint } = layout;
  const prefix = formatEntryPrefix(entry);
  const lines =
    labelColumns > 0
      ? renderAlignedLines(entry, { layout, indent, labelColumns, lineColumns })
      : wrapIndented(formatEntry(entry, labelColumns), {
          columns,
          indent,
          hanging: indent + Math.max(2, prefix.length),
        });
  const colourLine = (text: string): string => {
    if (sign === undefined) {
      return text;
    }
    return sign === "✓" ? text.replace(sign, paintBySign(sign, sign, layout)) : paintBySign(sign, text, layout);
  };
  const [first = ""] = lines;
  const noteFits = indent + lineColumns + 3 + countDisplayColumns(note ?? "") <= columns && note !== undefined;
  const innerIndent = prefix === "" ? indent + 2 : indent + prefix.length;
  return [
    ...(noteFits
      ? [`${colourLine(padToColumns(first, indent + lineColumns))}${paint.dim(`   ${escapeForDisplay(note)}`)}`]
      : lines.map(colourLine)),
    ...children.flatMap((block) => renderBlockLines(block, layout, innerIndent)),
  ];
};

const findMaxColumns = (texts: readonly string[]): number => Math.max(0, ...texts.map(countDisplayColumns));

const listLines = (
  { entries, isAligned = false, more }: Extract<Block, { kind: "list" }>,
  layout: TerminalLayout,
  indent: number,
): readonly string[] => {
  const labelColumns = isAligned ? findMaxColumns(entries.map(({ label = "" }) => escapeForDisplay(label, "name"))) : 0;
  const lineColumns = entries.some(({ note }) => note !== undefined)
    ? findMaxColumns(entries.map((entry) => formatEntry(entry, labelColumns)))
    : 0;
  return [
    ...entries.flatMap((entry) => renderEntryLines(entry, { layout, indent, labelColumns, lineColumns })),
    ...(more === undefined ? [] : [`${" ".repeat(indent)}${more}`]),
  ];
};

/** Formats a block, indented by at least `indent` columns. Tables are always indented by two columns. */
export const renderBlockLines = (block: Block, layout: TerminalLayout, indent = 2): readonly string[] => {
  const { columns, paint } = layout;
  switch (block.kind) {
    case "text": {
      const { line, isFaint = false, sign } = block;
      const lines = wrapIndented(renderPlainLine(line), { columns, indent, hanging: isFaint ? indent + 2 : indent });
      return lines.map((text) =>
        sign === undefined ? (isFaint ? paint.dim(text) : text) : paintBySign(sign, text, layout),
      );
    }
    case "list":
      return listLines(block, layout, indent);
    case "table":
      return renderTableLines(block, layout);
    case "excerpt":
      return renderExcerptLines(block.excerpt, layout, indent);
    case "command":
      // On one line regardless of its length, so that it can be copied.
      return [`${" ".repeat(indent)}${paint.dim("$")} ${paint.cyan(escapeForDisplay(block.command, "command"))}`];
    case "folded":
      return block.blocks.flatMap((nested) => renderBlockLines(nested, layout, indent));
    // A block with a different form in each kind of output. The terminal prints the text.
    case "per-format":
      return block.text.flatMap((nested) => renderBlockLines(nested, layout, indent));
  }
};

/**
 * Formats a section: its title, if any, and its blocks. Blocks below a title are indented by two columns. Returns no
 * lines for a section without blocks.
 */
export const renderTerminalSection = ({ title, sign, blocks }: Section, layout: TerminalLayout): readonly string[] => {
  if (blocks.length === 0) {
    return [];
  }
  const head =
    title === undefined
      ? []
      : wrapIndented(`${sign === undefined ? "" : `${sign} `}${renderPlainLine(title)}`, {
          columns: layout.columns,
          indent: 0,
          hanging: 2,
        }).map((line) =>
          sign === undefined ? layout.paint.bold(line) : paintBySign(sign, layout.paint.bold(line), layout),
        );
  return [...head, ...blocks.flatMap((block) => renderBlockLines(block, layout, title === undefined ? 0 : 2))];
};
