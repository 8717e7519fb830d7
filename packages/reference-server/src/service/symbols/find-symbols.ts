import type { HitLine } from "../ripgrep/file-hits.ts";
import { countCodePoints, decodeGoText } from "../ripgrep/go-text.ts";
import { type SymbolKind, symbolPatterns } from "./symbol-patterns.ts";

/** A definition in a file. */
export interface FoundSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** From 1. */
  readonly line: number;
  /** First column of the name and the column after it. Columns start at 1. */
  readonly columns: readonly [start: number, end: number];
}

const maxLineBytes = 2000;

interface NameLocation {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Byte range of the name in the line. */
  readonly start: number;
  readonly end: number;
}

const findDefinition = (text: string, language: string): NameLocation | undefined => {
  for (const { kind, pattern } of symbolPatterns.get(language) ?? []) {
    const match = pattern.exec(text);
    const name = match?.groups?.["name"];
    if (match !== null && name !== undefined) {
      // Uses the last occurrence in the match, because the same word may precede it, as in a return type.
      const start = Buffer.byteLength(text.slice(0, match.index + match[0].lastIndexOf(name)));
      return { name, kind, start, end: start + Buffer.byteLength(name) };
    }
  }
  return undefined;
};

const findSymbol = ({ bytes, lineNumber, spans }: HitLine, language: string): FoundSymbol | undefined => {
  const definition = bytes.length > maxLineBytes ? undefined : findDefinition(decodeGoText(bytes), language);
  if (definition === undefined || !spans.some(([start, end]) => start < definition.end && end > definition.start)) {
    return undefined;
  }
  const { end, kind, name, start } = definition;
  const column = 1 + countCodePoints(bytes.subarray(0, start));
  return { name, kind, line: lineNumber + 1, columns: [column, column + countCodePoints(bytes.subarray(start, end))] };
};

/**
 * Finds the symbols that are defined on matching lines, if the match is in their names. This is not a parser: it recognizes common forms
 * of definitions in some languages, at the start of a line of at most 2,000 bytes, one symbol per line. It does not recognize containers,
 * comments or strings. Other languages have no symbols.
 */
export const findSymbols = (lines: readonly HitLine[], language: string | undefined): readonly FoundSymbol[] =>
  language === undefined
    ? []
    : lines.map((line) => findSymbol(line, language)).filter((symbol) => symbol !== undefined);
