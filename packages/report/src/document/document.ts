import type { Excerpt } from "@assay/results";
import type { Sign } from "./outcome-words.ts";

/**
 * A part of a line. A string is prose and may contain `code` between back-ticks. A `name` is an id or a number with a unit: printers do
 * not wrap it. A `url` and a `command` may be longer. A `void` value does not count: the page strikes it out.
 *
 * Nothing is escaped here. Each printer escapes and cuts text by its kind.
 */
export type Piece =
  | string
  | { readonly name: string }
  | { readonly url: string }
  | { readonly command: string }
  | { readonly void: string };

/** One line of text of any length; printers wrap it. */
export type Line = string | readonly Piece[];

/** An entry of a list. */
export interface Entry {
  readonly sign?: Sign;
  /** Its number in a numbered list. */
  readonly number?: number;
  /** The subject of the entry, before its line. In an aligned list all lines begin in the same column. */
  readonly label?: string;
  readonly line: Line;
  /** An explanation; left out where there is no room. */
  readonly note?: string;
  readonly below?: readonly Block[];
}

/** A table of short texts; the first column names the rows. */
export interface TextTable {
  /** One sentence; shown on the page only. */
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of columns, from the left, that are left-aligned; the others are right-aligned [1]. */
  readonly leftColumns?: number;
  /** The sign of each row, which gives it its colour. */
  readonly signs?: readonly Sign[];
  /** An explanation of each row's name; shown on the page only. */
  readonly notes?: readonly string[];
  /** True if the values do not count: the page strikes them out. */
  readonly isVoid?: boolean;
}

/** A part of a section. */
export type Block =
  | { readonly kind: "text"; readonly line: Line; readonly isFaint?: boolean; readonly sign?: Sign }
  | { readonly kind: "list"; readonly entries: readonly Entry[]; readonly isAligned?: boolean; readonly more?: string }
  | {
      readonly kind: "table";
      readonly table: TextTable;
      /** Shown where the whole table is too wide. */
      readonly narrow?: TextTable;
    }
  | { readonly kind: "excerpt"; readonly excerpt: Excerpt }
  | { readonly kind: "command"; readonly command: string }
  /** Folded on the page; the other printers show the blocks without the summary. */
  | { readonly kind: "folded"; readonly summary: string; readonly blocks: readonly Block[] }
  /** The page has more room than a terminal: it shows `page`, the other printers show `text`. */
  | { readonly kind: "by-form"; readonly page: readonly Block[]; readonly text: readonly Block[] };

/** A part of a document under its title; a section without blocks is left out. */
export interface Section {
  readonly title?: Line;
  /** The outcome of the section: printed before the title, and the colour of the title. */
  readonly sign?: Sign;
  readonly blocks: readonly Block[];
}

/** A paragraph. */
export const text = (line: Line, more: { readonly isFaint?: boolean; readonly sign?: Sign } = {}): Block => ({
  kind: "text",
  line,
  ...more,
});

/** A list of at most `max` entries, then the number of the rest followed by `where`; no block for an empty list. */
export function list(
  entries: readonly Entry[],
  { max = Number.POSITIVE_INFINITY, where = "" }: { readonly max?: number; readonly where?: string } = {},
): readonly Block[] {
  const more = entries.length - max;
  const cut = more > 0 ? { more: `and ${more} more${where}` } : {};
  return entries.length === 0 ? [] : [{ kind: "list", entries: entries.slice(0, max), ...cut }];
}

/** A table; no block for a table without rows. */
export const tableBlock = (table: TextTable): readonly Block[] =>
  table.rows.length === 0 ? [] : [{ kind: "table", table }];

/** Blocks folded behind a summary; none if there are no blocks. */
export const folded = (summary: string, blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [{ kind: "folded", summary, blocks }];

/** Blocks for the page, and those that the other printers show instead. */
export const onPage = (page: readonly Block[], textBlocks: readonly Block[] = []): Block => ({
  kind: "by-form",
  page,
  text: textBlocks,
});

/** Names as one line, separated by commas; at most `max` of them, then the number of the rest. */
export const namesLine = (names: readonly string[], max = Number.POSITIVE_INFINITY): readonly Piece[] => [
  ...names.slice(0, max).flatMap((name, index) => [...(index === 0 ? [] : [", "]), { name }]),
  ...(names.length > max ? [` and ${names.length - max} more`] : []),
];
