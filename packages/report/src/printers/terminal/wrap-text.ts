import { charactersOf, displayColumns } from "./display-columns.ts";

/** A word in pieces that fit into a line each; the spaces behind it go with the last one. A character that is wider stands alone. */
const piecesOf = function* (word: string, columns: number): Generator<string> {
  const text = word.trimEnd();
  if (displayColumns(text) <= columns) {
    yield word;
    return;
  }
  let piece = "";
  let used = 0;
  for (const character of charactersOf(text)) {
    const width = displayColumns(character);
    if (piece !== "" && used + width > columns) {
      yield piece;
      piece = "";
      used = 0;
    }
    piece += character;
    used += width;
  }
  yield piece + word.slice(text.length);
};

const wrapWords = (words: Iterable<string>, columns: number): readonly [string, ...string[]] => {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    for (const piece of piecesOf(word, columns)) {
      if (line !== "" && displayColumns(`${line}${piece.trimEnd()}`) > columns) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += piece;
    }
  }
  const [first, ...rest] = [...lines, line.trimEnd()];
  return [first ?? "", ...rest];
};

/**
 * Breaks one line of text without styles into lines of at most `columns`, between words where it can and inside a word
 * that is longer than a line. Never empty: an empty text is one empty line.
 */
export const wrapText = (text: string, columns: number): readonly [string, ...string[]] =>
  wrapWords(text.match(/\S+\s*/gu) ?? [], columns);

/** The same for a name such as `stream/done-is-last`, which may also be broken behind a slash or a hyphen. */
export const wrapName = (name: string, columns: number): readonly [string, ...string[]] =>
  wrapWords(name.match(/[^\s/-]+[\s/-]*|[/-]+\s*/gu) ?? [], columns);

/** The wrapped text, every line indented by `first` columns at the beginning and `rest` columns from the second line on. */
export const wrapIndented = (
  text: string,
  {
    columns,
    indent,
    hanging = indent,
  }: { readonly columns: number; readonly indent: number; readonly hanging?: number },
): readonly string[] =>
  wrapText(text, Math.max(20, columns - Math.max(indent, hanging))).map(
    (line, index) => `${" ".repeat(index === 0 ? indent : hanging)}${line}`,
  );
