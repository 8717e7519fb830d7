import { stripVTControlCharacters } from "node:util";

const maxMessage = 300;
const entry = /level=(?:error|fatal)\s+msg=("(?:[^"\\]|\\.)*"|\S+)/u;

const unquoted = (text: string): string => {
  if (!text.startsWith('"')) {
    return text;
  }
  try {
    return String(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      return text.slice(1, -1);
    }
    throw cause;
  }
};

/** The place at which a script aborts a test does not explain why. */
const placeOfAbort = /(?<=^test aborted: .*) at file:\/\/\S+$/u;

/** The first line of a text without control characters, at most 300 characters long. */
export const oneLine = (text: string): string => {
  const [first = ""] = stripVTControlCharacters(text).split("\n");
  // Later lines are the stack.
  const plain = first
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .replace(placeOfAbort, "");
  return plain.length > maxMessage ? `${plain.slice(0, maxMessage)}…` : plain;
};

/** The message of an error line of k6's log, on one line; undefined for other lines. */
export const errorMessageOf = (line: string): string | undefined => {
  const message = entry.exec(line)?.[1];
  return message === undefined ? undefined : oneLine(unquoted(message));
};

/** The first error in a log of k6, or undefined. */
export const firstErrorOf = (log: string): string | undefined =>
  log
    .split("\n")
    .map(errorMessageOf)
    .find((message) => message !== undefined);
