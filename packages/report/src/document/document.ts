import type { Excerpt } from "@assay/results";
import type { Sign } from "./outcome-words.ts";

/**
 * A piece of a line. A string is a sentence or a part of one, in which `code` may stand between back-ticks; a name is an id or a
 * number with a unit, which no printer breaks open; a url and a command may be longer. Nothing is escaped here: what a target sent
 * stands in it as it came, and each printer makes it safe in its own way and cuts it by its kind.
 */
export type Piece = string | { readonly name: string } | { readonly url: string } | { readonly command: string };

/** One line of text, however long; a printer wraps it where it has to. */
export type Line = string | readonly Piece[];

/** An entry of a list. */
export interface Entry {
  readonly sign?: Sign;
  /** Its number, where entries are counted. */
  readonly number?: number;
  /** What the entry is about, before its line; in an aligned list all lines begin in the same column. */
  readonly label?: string;
  readonly line: Line;
  /** What explains it; left out where there is no room for it. */
  readonly note?: string;
  readonly below?: readonly Block[];
}

/** A table of short texts; the first column names the rows. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of columns, from the left, that begin at the left; the others end at the right [1]. */
  readonly leftColumns?: number;
  /** How each row went, which gives it its colour. */
  readonly signs?: readonly Sign[];
}

/** A part of a section. */
export type Block =
  | { readonly kind: "text"; readonly line: Line; readonly isFaint?: boolean; readonly sign?: Sign }
  | { readonly kind: "list"; readonly entries: readonly Entry[]; readonly isAligned?: boolean; readonly more?: string }
  | {
      readonly kind: "table";
      readonly table: TextTable;
      /** What is shown where the whole table is too wide. */
      readonly narrow?: TextTable;
    }
  | { readonly kind: "excerpt"; readonly excerpt: Excerpt }
  | { readonly kind: "command"; readonly command: string };

/** A part of a document under its title; one without blocks is left out. */
export interface Section {
  readonly title?: Line;
  /** How what stands in it went: before the title, and its colour. */
  readonly sign?: Sign;
  readonly blocks: readonly Block[];
}

/** A paragraph. */
export const text = (line: Line, more: { readonly isFaint?: boolean; readonly sign?: Sign } = {}): Block => ({
  kind: "text",
  line,
  ...more,
});

/** A list cut to `most` entries, with how many more there are and where they stand; no block for an empty one. */
export function list(
  entries: readonly Entry[],
  { most = Number.POSITIVE_INFINITY, where = "" }: { readonly most?: number; readonly where?: string } = {},
): readonly Block[] {
  const more = entries.length - most;
  const cut = more > 0 ? { more: `and ${more} more${where}` } : {};
  return entries.length === 0 ? [] : [{ kind: "list", entries: entries.slice(0, most), ...cut }];
}
