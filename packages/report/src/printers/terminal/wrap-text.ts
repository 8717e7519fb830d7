import { splitCharacters, countDisplayColumns } from "./display-columns.ts";

/** Splits a word into pieces that each fit on a line. Trailing spaces belong to the last piece. A character that is wider is a separate piece. */
const splitWord = function* (word: string, columns: number): Generator<string> {
  const text = word.trimEnd();
  if (countDisplayColumns(text) <= columns) {
    yield word;
    return;
  }
  let piece = "";
  let usedColumns = 0;
  for (const character of splitCharacters(text)) {
    const width = countDisplayColumns(character);
    if (piece !== "" && usedColumns + width > columns) {
      yield piece;
      piece = "";
      usedColumns = 0;
    }
    piece += character;
    usedColumns += width;
  }
  yield piece + word.slice(text.length);
};

const wrapWords = (words: Iterable<string>, columns: number): readonly [string, ...string[]] => {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    for (const piece of splitWord(word, columns)) {
      if (line !== "" && countDisplayColumns(`${line}${piece.trimEnd()}`) > columns) {
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
 * Wraps one line of text without styles to at most `columns`, between words if possible, and inside words that are longer than
 * a line. Returns one empty line for an empty string.
 */
export const wrapText = (text: string, columns: number): readonly [string, ...string[]] =>
  wrapWords(text.match(/\S+\s*/gu) ?? [], columns);

/** Like `wrapText`, for a name such as `stream/done-is-last`, which may also be broken after a slash or a hyphen. */
export const wrapName = (name: string, columns: number): readonly [string, ...string[]] =>
  wrapWords(name.match(/[^\s/-]+[\s/-]*|[/-]+\s*/gu) ?? [], columns);

/** Wraps text and indents the first line by `indent` columns and all others by `hanging` columns. */
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
