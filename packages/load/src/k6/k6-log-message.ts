import { stripVTControlCharacters } from "node:util";

const maxMessageLength = 300;
const errorEntry = /level=(?:error|fatal)\s+msg=("(?:[^"\\]|\\.)*"|\S+)/u;

const unquote = (text: string): string => {
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

/** The location where a script aborts a test. Removed, because it does not explain the reason. */
const abortLocation = /(?<=^test aborted: .*) at file:\/\/\S+$/u;

/** Returns the first line of a text without control characters, truncated to 300 characters. */
export const shortenToLine = (text: string): string => {
  const [firstLine = ""] = stripVTControlCharacters(text).split("\n");
  // The other lines are a stack trace.
  const plainLine = firstLine
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .replace(abortLocation, "");
  return plainLine.length > maxMessageLength ? `${plainLine.slice(0, maxMessageLength)}…` : plainLine;
};

/** Returns the message of an error line in k6's log as one line, or undefined for other lines. */
export const parseErrorMessage = (line: string): string | undefined => {
  const message = errorEntry.exec(line)?.[1];
  return message === undefined ? undefined : shortenToLine(unquote(message));
};

/** Returns the first error in a k6 log, or undefined. */
export const findFirstError = (log: string): string | undefined =>
  log
    .split("\n")
    .map(parseErrorMessage)
    .find((message) => message !== undefined);
