import { withoutCommands } from "../terminal/terminal-text.ts";

/** What GitHub shows beside the steps of a job. */
export type AnnotationKind = "error" | "warning" | "notice";

const escapes: Readonly<Record<string, string>> = {
  "%": "%25",
  "\r": "%0D",
  "\n": "%0A",
  ":": "%3A",
  ",": "%2C",
};

const escaped = (text: string, characters: RegExp): string =>
  // `##[` begins a command of an older kind, wherever in a line it stands.
  withoutCommands(text).replaceAll(characters, (character) => escapes[character] ?? character);

/**
 * One workflow command, in one line with its line feed. Whatever title and message hold, they end neither the line nor the
 * command: line breaks and per cent signs are escaped as the runner of GitHub undoes it, in titles colons and commas too.
 */
export const workflowCommand = (
  kind: AnnotationKind,
  { title, message }: { readonly title: string; readonly message: string },
): string => `::${kind} title=${escaped(title, /[%\r\n:,]/gu)}::${escaped(message, /[%\r\n]/gu)}\n`;
