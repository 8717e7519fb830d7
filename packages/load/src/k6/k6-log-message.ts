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

/** Where the script ends a test says nothing about why it does. */
const placeOfAbort = /(?<=^test aborted: .*) at file:\/\/\S+$/u;

/** A text on one line without control characters, at most 300 characters long. */
export const oneLine = (text: string): string => {
  const [first = ""] = stripVTControlCharacters(text).split("\n");
  // The stack that follows after the first line would not be one sentence.
  const plain = first
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .replace(placeOfAbort, "");
  return plain.length > maxMessage ? `${plain.slice(0, maxMessage)}…` : plain;
};

/** The message of a line of k6's log if it is an error, on one line; undefined otherwise. */
export const errorMessageOf = (line: string): string | undefined => {
  const message = entry.exec(line)?.[1];
  return message === undefined ? undefined : oneLine(unquoted(message));
};

/** The first error in a log of k6; undefined without one. */
export const firstErrorOf = (log: string): string | undefined =>
  log
    .split("\n")
    .map(errorMessageOf)
    .find((message) => message !== undefined);
