import type { Excerpt } from "@assay/results";
import type { Sign } from "./outcome-words.ts";

/**
 * A part of a line. A string is prose and may contain `code` between backticks. A `name` is an id or a number with a unit, which printers
 * do not wrap. A `url` and a `command` may be longer. An `invalid` value is not valid evidence: the page strikes it out.
 *
 * Documents are not escaped. Each printer escapes and truncates text by its kind.
 */
export type Piece =
  | string
  | { readonly name: string }
  | { readonly url: string }
  | { readonly command: string }
  | { readonly invalid: string };

/** One line of text of any length. Printers wrap it. */
export type Line = string | readonly Piece[];

/** An entry of a list. */
export interface Entry {
  readonly sign?: Sign;
  /** Number of the entry in a numbered list. */
  readonly number?: number;
  /** The subject of the entry, which precedes its line. In an aligned list all lines begin in the same column. */
  readonly label?: string;
  readonly line: Line;
  /** An explanation, omitted if there is not enough space. */
  readonly note?: string;
  readonly children?: readonly Block[];
}

/** A table of short strings. The first column contains the names of the rows. */
export interface TextTable {
  /** One sentence, shown only on the page. */
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of left-aligned columns, counted from the left. The others are right-aligned. Default: 1. */
  readonly leftColumns?: number;
  /** The sign of each row, which determines its colour. */
  readonly signs?: readonly Sign[];
  /** An explanation of each row's name, shown only on the page. */
  readonly notes?: readonly string[];
  /** Whether the values are invalid. The page strikes them out. */
  readonly isVoid?: boolean;
}

/** A part of a section. */
export type Block =
  | { readonly kind: "text"; readonly line: Line; readonly isFaint?: boolean; readonly sign?: Sign }
  | { readonly kind: "list"; readonly entries: readonly Entry[]; readonly isAligned?: boolean; readonly more?: string }
  | {
      readonly kind: "table";
      readonly table: TextTable;
      /** Shown instead if the table is too wide. */
      readonly narrow?: TextTable;
    }
  | { readonly kind: "excerpt"; readonly excerpt: Excerpt }
  | { readonly kind: "command"; readonly command: string }
  /** Folded on the page. The other printers show the blocks without the summary. */
  | { readonly kind: "folded"; readonly summary: string; readonly blocks: readonly Block[] }
  /** The page has more space than a terminal: it shows `page`, and the other printers show `text`. */
  | { readonly kind: "per-format"; readonly page: readonly Block[]; readonly text: readonly Block[] };

/** A part of a document with a title. Sections without blocks are omitted. */
export interface Section {
  readonly title?: Line;
  /** The outcome of the section. It is printed before the title and determines the colour of the title. */
  readonly sign?: Sign;
  readonly blocks: readonly Block[];
}

/** Creates a paragraph. */
export const paragraph = (line: Line, style: { readonly isFaint?: boolean; readonly sign?: Sign } = {}): Block => ({
  kind: "text",
  line,
  ...style,
});

/** Creates a list of at most `max` entries, followed by the number of the others and `restHint`. Returns no block for an empty list. */
export function list(
  entries: readonly Entry[],
  { max = Number.POSITIVE_INFINITY, restHint = "" }: { readonly max?: number; readonly restHint?: string } = {},
): readonly Block[] {
  const moreCount = entries.length - max;
  const truncation = moreCount > 0 ? { more: `and ${moreCount} more${restHint}` } : {};
  return entries.length === 0 ? [] : [{ kind: "list", entries: entries.slice(0, max), ...truncation }];
}

/** Creates a table. Returns no block for a table without rows. */
export const createTableBlock = (table: TextTable): readonly Block[] =>
  table.rows.length === 0 ? [] : [{ kind: "table", table }];

/** Folds blocks under a summary. Returns no block if there are none. */
export const fold = (summary: string, blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [{ kind: "folded", summary, blocks }];

/** Creates blocks for the page, with alternatives for the other printers. */
export const onPage = (page: readonly Block[], textBlocks: readonly Block[] = []): Block => ({
  kind: "per-format",
  page,
  text: textBlocks,
});

/** Formats at most `max` names as one line, separated by commas, followed by the number of the rest. */
export const joinNames = (names: readonly string[], max = Number.POSITIVE_INFINITY): readonly Piece[] => [
  ...names.slice(0, max).flatMap((name, index) => [...(index === 0 ? [] : [", "]), { name }]),
  ...(names.length > max ? [` and ${names.length - max} more`] : []),
];
